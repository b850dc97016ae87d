import type { Marker as Shape } from '../../ui/marker-icon.tsx'
import type { Level } from './timeline/console-rows.ts'
import type { StepKind } from './timeline/steps.ts'

/** The shape that a step or a sign is drawn with. */
export function markerShape(kind: StepKind, level: Level = 'info'): Shape {
  // A ring without its point: a click without effect.
  if (kind === 'dead') return 'debug'
  if (kind === 'other') return 'console'
  if (kind === 'error' && level === 'fatal') return 'fatal'
  return kind
}
