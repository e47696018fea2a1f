/** The settings of a LibreOffice that takes what is typed as it is, and shows its document and nothing in front of it. */

/** Where in the configuration, the name of the property, and its value. */
export type OfficeSetting = readonly [path: string, name: string, value: string];

/** Of the properties in `registry/main.xcd` of LibreOffice 7.4. */
const SETTINGS: readonly OfficeSetting[] = [
  ["org.openoffice.Office.Common/Misc", "ShowTipOfTheDay", "false"],
  ["org.openoffice.Office.Common/Misc", "FirstRun", "false"],
  ["org.openoffice.Setup/Product", "ooSetupLastVersion", "99.9"],
  ["org.openoffice.Setup/Product", "LastTimeDonateShown", "4000000000"],
  ["org.openoffice.Setup/Product", "LastTimeGetInvolvedShown", "4000000000"],
  ["org.openoffice.Office.Common/AutoCorrect", "CapitalAtStartSentence", "false"],
  ["org.openoffice.Office.Common/AutoCorrect", "TwoCapitalsAtStart", "false"],
  ["org.openoffice.Office.Common/AutoCorrect", "CorrectAccidentalCapsLock", "false"],
  ["org.openoffice.Office.Common/AutoCorrect", "UseReplacementTable", "false"],
  ["org.openoffice.Office.Common/AutoCorrect", "ReplaceSingleQuote", "false"],
  ["org.openoffice.Office.Common/AutoCorrect", "ReplaceDoubleQuote", "false"],
  ["org.openoffice.Office.Common/AutoCorrect", "ChangeDash", "false"],
  ["org.openoffice.Office.Common/AutoCorrect", "ChangeOrdinalNumber", "false"],
  ["org.openoffice.Office.Calc/Input", "AutoInput", "false"],
];

/**
 * The text of `user/registrymodifications.xcu` in a profile.
 * @param more what else is to be set
 */
export function officeSettings(more: readonly OfficeSetting[] = []): string {
  const items = [...SETTINGS, ...more].map(([path, name, value]) =>
    `<item oor:path="/${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
${items.join("\n")}</oor:items>`;
}
