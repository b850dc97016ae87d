/** Operations of a browser's page: a load of it, or a change of route within it. */
export function isPageOp(op: string): boolean {
  return op === 'pageload' || op === 'navigation'
}
