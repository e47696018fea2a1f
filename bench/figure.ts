/** Draws figures as a bar chart in SVG, by Vega-Lite. */

import { parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";

export interface Bar {
  readonly name: string;
  readonly value: number;
  /** Whether it is this service's. */
  readonly ours: boolean;
}

/** The text of the SVG file. */
export async function drawBars(title: string, bars: readonly Bar[]): Promise<string> {
  const values = bars.map(({ name, value, ours }) => ({
    ...{ name, value, ours },
    label: value.toFixed(value < 1 ? 2 : 1),
  }));
  const spec: TopLevelSpec = {
    title,
    width: 480,
    background: "white",
    data: { values },
    encoding: {
      y: { field: "name", type: "nominal", sort: null, title: null, axis: { labelLimit: 260 } },
      x: { field: "value", type: "quantitative", title: "milliseconds (p50)" },
    },
    layer: [
      {
        mark: "bar",
        encoding: {
          color: {
            field: "ours",
            scale: { domain: [true, false], range: ["#1b7f5c", "#b8b8b8"] },
            legend: null,
          },
        },
      },
      { mark: { type: "text", align: "left", dx: 4 }, encoding: { text: { field: "label" } } },
    ],
  };
  const view = new View(parse(compile(spec).spec), { renderer: "none" });
  return `${await view.toSVG()}\n`;
}
