import { ButtonLink } from '../../ui/button.tsx'
import { exactNumber } from '../../ui/time-words.ts'
import styles from './stream-top.module.css'

/** Shows the count, and links to the previous and next page. Pages are cursors, so they are stable while data arrives. */
export function PageFoot(props: {
  readonly shown: number
  readonly hits: number | null
  readonly previous: string | null
  readonly next: string | null
}) {
  if (props.shown === 0 && props.previous === null) return null
  return (
    <div className={styles['foot']}>
      {props.hits === null
        ? `${exactNumber(props.shown)} shown`
        : `${exactNumber(props.shown)} of ${exactNumber(props.hits)}`}
      <span>
        {props.previous === null ? null : <ButtonLink href={props.previous}>Previous</ButtonLink>}
        {props.next === null ? null : <ButtonLink href={props.next}>Next</ButtonLink>}
      </span>
    </div>
  )
}
