/** What is particular about the library by which a program shows its windows. */

import { type AtspiClient, ROOT } from "./client.ts";

export interface Toolkit {
  /** It says `showing` of its windows only, and counts places from the corner of a window. */
  readonly isGtk4: boolean;
  /** It runs a dialog inside the call that opens it, and answers nothing until that ends, if then. */
  readonly isGtk3: boolean;
  readonly isLibreOffice: boolean;
}

/** The toolkits of programs that run, which stay what they are. */
export class Toolkits {
  readonly #known = new Map<string, Toolkit>();

  constructor(private readonly client: AtspiClient) {}

  /**
   * @param bus the name of the program on the bus
   * @throws BusError when it has ended; ServiceError `timed_out`
   */
  async find(bus: string, timeoutMs: number): Promise<Toolkit> {
    const known = this.#known.get(bus);
    if (known !== undefined) return known;
    const root = { bus, path: ROOT };
    const [toolkit, name] = await Promise.all([
      this.client.get(root, "Application.ToolkitName", { timeoutMs }),
      this.client.get(root, "Accessible.Name", { timeoutMs }),
    ]);
    const isLibreOffice = name === "soffice";
    const isGtk3 = toolkit === "gtk" && !isLibreOffice; // it acts after it has answered
    const found = { isGtk4: toolkit === "GTK", isGtk3, isLibreOffice };
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(bus, found);
    return found;
  }
}

const MAX_KNOWN = 1_000;
