/** Starts the supervisor, which runs as soon as its module is loaded. */
export async function start(): Promise<void> {
  await import('../../../start.ts')
}
