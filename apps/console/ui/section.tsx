'use client'

import { ChevronDown, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useStored } from './stored.ts'
import styles from './section.module.css'

/**
 * A body of evidence: a rule of ink, a title, its tools, its content. It folds, and is found folded
 * next time; `id` is its anchor and the name it is remembered by.
 */
export function Section(props: {
  readonly id: string
  readonly title: string
  /** A short fact after the title. */
  readonly note?: ReactNode
  readonly tools?: ReactNode
  readonly children: ReactNode
}) {
  const [stored, store] = useStored(`folded.${props.id}`)
  const isFolded = stored === '1'
  const toggle = () => store(isFolded ? null : '1')
  return (
    <section id={props.id} className={styles['section']} aria-labelledby={`${props.id}-title`}>
      <header className={styles['head']}>
        <h2 id={`${props.id}-title`} className={styles['title']}>
          <button
            type="button"
            className={styles['fold']}
            aria-expanded={!isFolded}
            aria-controls={`${props.id}-body`}
            onClick={toggle}
          >
            {props.title}
            {isFolded ? (
              <ChevronRight size={14} aria-hidden />
            ) : (
              <ChevronDown size={14} aria-hidden />
            )}
          </button>
        </h2>
        {props.note === undefined ? null : <span className={styles['note']}>{props.note}</span>}
        {props.tools === undefined || isFolded ? null : (
          <div className={styles['tools']}>{props.tools}</div>
        )}
      </header>
      <div id={`${props.id}-body`} hidden={isFolded}>
        {props.children}
      </div>
    </section>
  )
}
