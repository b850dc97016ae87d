import { ButtonLink } from '../../ui/button.tsx'
import { exactNumber } from '../../ui/time-words.ts'
import styles from './stream-top.module.css'

/** How many there are, and the pages before and after. Pages are cursors: they hold while data arrives. */
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
