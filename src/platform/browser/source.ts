/** Which browser is used: one that is started for the service alone, or one at an address. */

export type BrowserSource =
  | {
    readonly kind: "own";
    readonly program: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    /** What the first tab shows. */
    readonly url: string;
    /** Where it is recorded. */
    readonly stateDirs: readonly string[];
  }
  | { readonly kind: "address"; readonly address: string; readonly stateDirs: readonly string[] };
