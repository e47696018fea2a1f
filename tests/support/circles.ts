/** Finds the circles of a graph: nodes that can all reach each other (Tarjan's algorithm). */

/** Each circle with its nodes in alphabetical order. */
export function findCircles(needs: ReadonlyMap<string, readonly string[]>): readonly string[][] {
  const order = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  for (const node of needs.keys()) if (!order.has(node)) visit(node);
  return circles.sort(([a], [b]) => a! < b! ? -1 : 1);

  /** Returns the first node, by order of visit, that can be reached from here. */
  function visit(node: string): number {
    const own = order.size;
    order.set(node, own);
    open.push(node);
    let first = own;
    for (const next of needs.get(node) ?? []) {
      if (!needs.has(next)) continue;
      if (!order.has(next)) first = Math.min(first, visit(next));
      else if (open.includes(next)) first = Math.min(first, order.get(next)!);
    }
    if (first === own) {
      const circle = open.splice(open.indexOf(node));
      if (circle.length > 1 || needs.get(node)!.includes(node)) circles.push(circle.sort());
    }
    return first;
  }
}
