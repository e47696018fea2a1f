/** What is typed: 500 characters of many kinds, of which programs change none by themselves. */

const LINES = [
  "The quick brown fox jumps over the lazy dog 0123456789.",
  "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
  "àáâãäå æç èéêë ìíîï ñ òóôõöø œ ß ùúûü ýÿ ČŠŽ łőű ÀÉÎÕÜ ÆŒØ",
  "“quoted” „so“ «là» – — … € £ ¥ § © ± × ÷ ½ ² ∑ √ ≤ ≠ → ✓",
  "Ελληνικά άέή, Кириллица ёъыэЩ, Українська їєґ",
  "日本語のテキスト, 漢字仮名, 简体中文, 한국어",
  "😀 😂 𝒳 𠮷",
  "aa bb ll ;; 11 ++ ää жж ωω 漢漢 😀😀",
];

/** With line breaks. */
export const TEXT = upTo500(`${LINES.join("\n")}\n`);

/** Without them, for fields of one line. */
export const LINE = upTo500(`${LINES.join(" ")} `);

function upTo500(text: string): string {
  const characters = [...text.repeat(3)];
  // no space or line break at the end, where programs add or take away
  return `${characters.slice(0, 499).join("")}.`;
}
