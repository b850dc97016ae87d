/** The client with all its parts but tracing and the recorder. */
export * from './errors.ts'
