'use client'

import { useState, type ReactNode } from 'react'
import styles from './value-tree.module.css'

/** Rows of one level shown at first. */
const ROWS_SHOWN = 40
/** Longer texts are cut until the reader expands them. */
const TEXT_SHOWN = 400

/** Draws a record as names and values; nested ones open in place. Values are text, never markup. */
export function ValueTree(props: { readonly value: Readonly<Record<string, unknown>> }) {
  const [isFull, setIsFull] = useState(false)
  const rows = Object.entries(props.value)
  const shown = isFull ? rows : rows.slice(0, ROWS_SHOWN)
  return (
    <dl className={styles['tree']}>
      {shown.map(([name, value]) => (
        <div key={name} className={styles['row']}>
          <dt title={name}>{name}</dt>
          <dd>
            <Value value={value} />
          </dd>
        </div>
      ))}
      {rows.length > shown.length ? (
        <div className={styles['row']}>
          <dt />
          <dd>
            <button type="button" className={styles['more']} onClick={() => setIsFull(true)}>
              {rows.length - shown.length} more
            </button>
          </dd>
        </div>
      ) : null}
    </dl>
  )
}

/** Draws one value: text as it is, others as JSON, records and lists folded. */
export function Value(props: { readonly value: unknown }): ReactNode {
  const { value } = props
  const [isOpen, setIsOpen] = useState(false)
  if (typeof value === 'string') return <Text text={value} />
  if (value === null || value === undefined)
    return <span className={styles['none']}>{String(value)}</span>
  if (typeof value !== 'object') return String(value)
  const entries = Array.isArray(value)
    ? value.map((one, index) => [String(index), one])
    : Object.entries(value)
  const words = Array.isArray(value)
    ? `${entries.length} ${entries.length === 1 ? 'item' : 'items'}`
    : `${entries.length} ${entries.length === 1 ? 'member' : 'members'}`
  if (entries.length === 0)
    return <span className={styles['none']}>{Array.isArray(value) ? '[]' : '{}'}</span>
  return (
    <>
      <button
        type="button"
        className={styles['more']}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {words}
      </button>
      {isOpen ? <ValueTree value={Object.fromEntries(entries)} /> : null}
    </>
  )
}

function Text(props: { readonly text: string }) {
  const [isFull, setIsFull] = useState(false)
  if (props.text === '') return <span className={styles['none']}>""</span>
  if (props.text.length <= TEXT_SHOWN || isFull) return props.text
  return (
    <>
      {props.text.slice(0, TEXT_SHOWN)}…{' '}
      <button type="button" className={styles['more']} onClick={() => setIsFull(true)}>
        all {props.text.length} characters
      </button>
    </>
  )
}
