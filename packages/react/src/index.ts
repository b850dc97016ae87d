/** The client for React: all of the browser's, with tracing, and what React alone knows. */
export * from '@afterimage/browser'
export * from '@afterimage/browser/tracing'
export { ErrorBoundary, withErrorBoundary } from './error-boundary.ts'
export type { ErrorBoundaryProps, Fallback, FallbackProps } from './error-boundary.ts'
export { Profiler, useProfiler, withProfiler } from './profiler.ts'
export type { ProfilerProps } from './profiler.ts'
export { reactErrorHandler } from './react-errors.ts'
export type { ReactErrorInfo } from './react-errors.ts'
