'use client'

import type { ApiFrame } from '@afterimage/protocol/api/event'
import { ChevronDown, ChevronRight, ChevronsUpDown } from 'lucide-react'
import { useMemo, useState } from 'react'
import { ScrollArea } from '../../ui/scroll-area.tsx'
import { codeLines, failingRange, languageOf, type CodePiece } from './code-lines.ts'
import { placeOf } from './frames.ts'
import { ValueTree } from './value-tree.tsx'
import styles from './stack-trace.module.css'

/** Draws one frame: function and place in a line, its source and its variables below. */
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
  const lines = useMemo(
    () =>
      codeLines(
        frame.context.map(([, text]) => text),
        languageOf(frame.filename ?? frame.absPath, frame.platform),
      ),
    [frame],
  )
  return (
    <ScrollArea label="Source around the failing line" className={styles['code']}>
      {frame.context.map(([number, text], index) => {
        const isHit = number === frame.lineNo
        return (
          <div key={number} className={isHit ? styles['hit'] : undefined}>
            <i>{number}</i>
            <span>
              <Line
                pieces={lines[index] ?? []}
                failing={failingRange(text, isHit ? frame.colNo : null)}
              />
            </span>
          </div>
        )
      })}
    </ScrollArea>
  )
}

/** `failing` is underlined: `[start, end)` from 0. */
function Line(props: {
  readonly pieces: readonly CodePiece[]
  readonly failing: readonly [number, number] | null
}) {
  const range = props.failing
  return props.pieces.map((piece) => {
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

/** Draws folded third-party frames in one line. */
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
