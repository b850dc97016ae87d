'use client'

import type { ApiFrame } from '@afterimage/protocol/api/event'
import { ChevronDown, ChevronRight, ChevronsUpDown } from 'lucide-react'
import { useState } from 'react'
import { codePieces, failingRange } from './code-words.ts'
import { placeOf } from './frames.ts'
import { ValueTree } from './value-tree.tsx'
import styles from './stack-trace.module.css'

/** One frame: function and place in a line, its source and its variables under it. */
export function Frame(props: { readonly frame: ApiFrame; readonly startsOpen: boolean }) {
  const { frame } = props
  const [isOpen, setIsOpen] = useState(props.startsOpen)
  const canOpen = frame.context.length > 0 || frame.vars !== null
  const title = (
    <>
      <span className={styles['chevron']}>
        {canOpen ? (
          isOpen ? (
            <ChevronDown size={14} aria-hidden />
          ) : (
            <ChevronRight size={14} aria-hidden />
          )
        ) : null}
      </span>
      <span className={styles['function']}>{frame.function ?? '<anonymous>'}</span>
      <span className={styles['file']} title={frame.absPath ?? undefined}>
        {placeOf(frame)}
      </span>
    </>
  )
  return (
    <li className={styles['frame']} data-ours={frame.inApp}>
      {canOpen ? (
        <button
          type="button"
          className={styles['head']}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {title}
        </button>
      ) : (
        <div className={styles['head']}>{title}</div>
      )}
      {isOpen && frame.context.length > 0 ? <Source frame={frame} /> : null}
      {isOpen && frame.vars !== null && Object.keys(frame.vars).length > 0 ? (
        <div className={styles['vars']}>
          <ValueTree value={frame.vars} />
        </div>
      ) : null}
    </li>
  )
}

function Source(props: { readonly frame: ApiFrame }) {
  const { frame } = props
  return (
    <div className={styles['code']} role="figure" aria-label="Source around the failing line">
      {frame.context.map(([number, text]) => {
        const isHit = number === frame.lineNo
        return (
          <div key={number} className={isHit ? styles['hit'] : undefined}>
            <i>{number}</i>
            <span>
              <Line text={text} column={isHit ? frame.colNo : null} />
            </span>
          </div>
        )
      })}
    </div>
  )
}

function Line(props: { readonly text: string; readonly column: number | null }) {
  const range = failingRange(props.text, props.column)
  return codePieces(props.text).map((piece) => {
    const from = piece.column - 1
    const className = piece.kind === 'plain' ? undefined : styles[piece.kind]
    if (range === null || range[1] <= from || range[0] >= from + piece.text.length) {
      return (
        <span key={from} className={className}>
          {piece.text}
        </span>
      )
    }
    const start = Math.max(0, range[0] - from)
    const end = Math.min(piece.text.length, range[1] - from)
    return (
      <span key={from} className={className}>
        {piece.text.slice(0, start)}
        <u>{piece.text.slice(start, end)}</u>
        {piece.text.slice(end)}
      </span>
    )
  })
}

/** Frames of others in one line. */
export function Folded(props: { readonly words: string; readonly onUnfold: () => void }) {
  return (
    <li className={styles['frame']}>
      <button
        type="button"
        className={styles['folded']}
        aria-expanded={false}
        onClick={props.onUnfold}
      >
        <ChevronsUpDown size={14} aria-hidden />
        {props.words}
      </button>
    </li>
  )
}
