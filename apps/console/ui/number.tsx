import { compactNumber, exactNumber } from './time-words.ts'

/** "1.8k", exact on hover; small numbers as they are. */
export function Count(props: { readonly value: number; readonly className?: string }) {
  const exact = exactNumber(props.value)
  const compact = compactNumber(props.value)
  return (
    <span className={props.className} title={exact === compact ? undefined : exact}>
      {compact}
    </span>
  )
}
