import type { ApiTag } from '@afterimage/protocol/api/issue'
import { Link } from '../../ui/navigation.tsx'
import { Section } from '../../ui/section.tsx'
import { exactNumber } from '../../ui/time-words.ts'
import { State } from '../../ui/state.tsx'
import { percent } from './standfirst.ts'
import styles from './tags.module.css'

/** Values shown per tag. */
const VALUES_SHOWN = 3

/** Draws the distribution of the issue's events over their tags. */
export function Tags(props: {
  readonly tags: readonly ApiTag[]
  readonly events: number
  /** Address that a value links to: the stream filtered by it. */
  readonly hrefOf: (key: string, value: string) => string
}) {
  return (
    <Section
      id="tags"
      title="Tags"
      note={`share of ${exactNumber(props.events)} ${props.events === 1 ? 'event' : 'events'}`}
    >
      {props.tags.length === 0 ? (
        <State kind="empty" title="No tags">
          The events of this issue have none.
        </State>
      ) : (
        <div className={styles['tags']}>
          {props.tags.map((tag) => (
            <Tag key={tag.key} tag={tag} hrefOf={props.hrefOf} />
          ))}
        </div>
      )}
    </Section>
  )
}

function Tag(props: {
  readonly tag: ApiTag
  readonly hrefOf: (key: string, value: string) => string
}) {
  const { tag } = props
  const total = Math.max(1, tag.totalValues)
  return (
    <section className={styles['tag']}>
      <header>
        <h3>{tag.key}</h3>
        <span>
          {exactNumber(tag.uniqueValues)} {tag.uniqueValues === 1 ? 'value' : 'values'}
        </span>
      </header>
      <div className={styles['bar']} aria-hidden>
        {tag.topValues.slice(0, 6).map((value) => (
          <i key={value.value} style={{ width: `${(value.count / total) * 100}%` }} />
        ))}
      </div>
      <ol>
        {tag.topValues.slice(0, VALUES_SHOWN).map((value) => (
          <li key={value.value}>
            <Link href={props.hrefOf(tag.key, value.value)} title={value.value}>
              {value.name === '' ? '(empty)' : value.name}
            </Link>
            <span title={`${exactNumber(value.count)} of ${exactNumber(tag.totalValues)} events`}>
              {percent(value.count / total)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
