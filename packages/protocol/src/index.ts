export * from './envelope.ts'
export * from './outcome.ts'
