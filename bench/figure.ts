/** Draws figures as a bar chart in SVG. */

export interface Bar {
  readonly name: string;
  readonly value: number;
  /** Whether it is this service's. */
  readonly ours: boolean;
}

/** In pixels; the names stand left of the bars. */
const NAMES_WIDTH = 240;
const BARS_WIDTH = 480;
const VALUE_WIDTH = 40;
const TITLE_HEIGHT = 26;
const BAR_HEIGHT = 18;
const BAR_DISTANCE = 22;
const AXIS_HEIGHT = 40;

/** The text of the SVG file. */
export function drawBars(title: string, bars: readonly Bar[]): string {
  const longest = Math.max(...bars.map(({ value }) => value));
  const step = axisStep(longest);
  const steps = Math.ceil(longest / step);
  const x = (value: number) => Math.round(NAMES_WIDTH + value / (step * steps) * BARS_WIDTH);
  const bottom = TITLE_HEIGHT + bars.length * BAR_DISTANCE;
  const middle = NAMES_WIDTH + BARS_WIDTH / 2;
  const [width, height] = [NAMES_WIDTH + BARS_WIDTH + VALUE_WIDTH, bottom + AXIS_HEIGHT];
  const axis = Array.from({ length: steps + 1 }, (_, index) => {
    const [at, value] = [x(index * step), Number((index * step).toPrecision(3))];
    return `  <path d="M${at}.5 ${TITLE_HEIGHT}V${bottom + 4}" stroke="#ddd" />
  <text x="${at}" y="${bottom + 16}" text-anchor="middle">${value}</text>`;
  });
  const drawn = bars.map(({ name, value, ours }, index) => {
    const top = TITLE_HEIGHT + index * BAR_DISTANCE + 2;
    const label = value.toFixed(value < 1 ? 2 : 1);
    const [length, color] = [x(value) - NAMES_WIDTH, ours ? "#1b7f5c" : "#b8b8b8"];
    return `  <text x="${NAMES_WIDTH - 6}" y="${top + 13}" text-anchor="end">${name}</text>
  <rect x="${NAMES_WIDTH}" y="${top}" width="${length}" height="${BAR_HEIGHT}" fill="${color}" />
  <text x="${x(value) + 4}" y="${top + 13}">${label}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"
  font-family="sans-serif" font-size="11">
  <rect width="${width}" height="${height}" fill="white" />
  <text x="${middle}" y="16" text-anchor="middle" font-size="13"
    font-weight="bold">${title}</text>
${[...axis, ...drawn].join("\n")}
  <text x="${middle}" y="${bottom + 33}" text-anchor="middle"
    font-weight="bold">milliseconds (p50)</text>
</svg>
`;
}

/** 1, 2 or 5 times a power of ten, so that at most ten steps reach `longest`. */
function axisStep(longest: number): number {
  const power = 10 ** Math.floor(Math.log10(longest / 10));
  return power * [1, 2, 5, 10].find((times) => times * power * 10 >= longest)!;
}
