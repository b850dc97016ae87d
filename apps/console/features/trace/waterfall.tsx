'use client'

import { ChevronDown, ChevronRight } from 'lucide-react'
import { useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { Virtualizer, type CustomContainerComponentProps, type VirtualizerHandle } from 'virtua'
import { useKeys } from '../../ui/keys.tsx'
import { MarkerIcon } from '../../ui/marker-icon.tsx'
import { duration } from '../replay/timeline/clock.ts'
import { Minimap } from './minimap.tsx'
import { indentsMax, type Service, type SpanRow } from './span-rows.ts'
import { momentAt, placeOf, rulerTicks, tickWords } from './time-scale.ts'
import styles from './trace.module.css'

/** px; the height of `.span` */
const rowHeight = 26
/** Rows in the server's document, which knows no height: those of a first screen. */
const rowsAtFirst = 40

interface Props {
  readonly rows: readonly SpanRow[]
  /** Indexes of the rows to draw, in order. */
  readonly visible: readonly number[]
  /** Moved in by depth, with folds; false in an order of its own. */
  readonly isNested: boolean
  readonly durationMs: number
  readonly services: readonly Service[]
  readonly chosen: number | null
  readonly folded: ReadonlySet<string>
  readonly onChoose: (index: number | null) => void
  readonly onFold: (spanId: string) => void
}

/**
 * The spans as bars on one time. `↑ ↓` (or `k j`) move, `← →` fold and unfold, Escape closes. The pointer draws the
 * one cursor across all lanes. Only the rows in view are in the document.
 */
export function Waterfall(props: Props) {
  const { rows, visible, durationMs } = props
  const list = useRef<VirtualizerHandle>(null)
  const [pointer, setPointer] = useState<number | null>(null)
  useWaterfallKeys(props, list)
  const colours = useMemo(
    () => new Map(props.services.map((service) => [service.name, service.colour])),
    [props.services],
  )
  return (
    <div
      className={styles['waterfall']}
      onPointerMove={(event) => setPointer(shareAt(event.currentTarget, event.clientX))}
      onPointerLeave={() => setPointer(null)}
    >
      <div className={styles['top']}>
        <span className={styles['spanHead']}>Span</span>
        <Minimap rows={rows} durationMs={durationMs} colours={colours} />
      </div>
      <Ruler durationMs={durationMs} pointer={pointer} />
      <div className={styles['rows']}>
        <Virtualizer
          ref={list}
          as={SpanList}
          item="li"
          data={visible}
          itemSize={rowHeight}
          ssrCount={Math.min(visible.length, rowsAtFirst)}
        >
          {(index) => {
            const row = rows[index]
            return row === undefined ? (
              <></>
            ) : (
              <SpanLine
                key={row.span.span_id + String(index)}
                {...props}
                row={row}
                index={index}
                colour={colours.get(row.span.service) ?? 1}
              />
            )
          }}
        </Virtualizer>
      </div>
      <Grid durationMs={durationMs} pointer={pointer} />
    </div>
  )
}

/** `style` has the height of all rows. */
function SpanList(props: CustomContainerComponentProps) {
  return <ol aria-label="Spans" {...props} />
}

function SpanLine(
  props: Props & {
    readonly row: SpanRow
    readonly index: number
    readonly colour: number
  },
) {
  const { row, index, colour, durationMs, isNested } = props
  const { span } = row
  const isFolded = props.folded.has(span.span_id)
  const left = placeOf(row.at, durationMs)
  const width = placeOf(row.until, durationMs) - left
  const indent = isNested ? Math.min(row.depth, indentsMax) * 16 : 0
  const isFailed = row.isFailed || span.errors.length > 0
  return (
    <div className={styles['span']} data-chosen={index === props.chosen} data-index={index}>
      <div className={styles['name']} style={{ paddingLeft: 24 + indent }}>
        {isNested && row.descendants > 0 ? (
          <button
            type="button"
            className={styles['fold']}
            aria-expanded={!isFolded}
            aria-label={`${isFolded ? 'Unfold' : 'Fold'} ${row.descendants} spans under ${span.name}`}
            onClick={() => props.onFold(span.span_id)}
          >
            {isFolded ? <ChevronRight size={12} /> : <ChevronDown size={12} />}
          </button>
        ) : (
          <span className={styles['noFold']} />
        )}
        <button
          type="button"
          className={styles['open']}
          aria-pressed={index === props.chosen}
          onClick={() => props.onChoose(index === props.chosen ? null : index)}
        >
          {isFailed ? <MarkerIcon kind="error" size={10} /> : <i data-service={colour} />}
          <code>{span.op}</code>
          <span>{span.name}</span>
          {isFolded ? <small>{row.descendants}</small> : null}
        </button>
      </div>
      {/* The lane repeats what the name's button does for the pointer; the keyboard has the button. */}
      <div
        className={styles['lane']}
        aria-hidden
        onClick={() => props.onChoose(index === props.chosen ? null : index)}
      >
        <i
          className={styles['bar']}
          data-service={colour}
          data-failed={isFailed}
          style={{ left: `${left}%`, width: `${width}%` }}
        />
        <span className={styles['took']} style={{ left: `calc(${left + width}% + 6px)` }}>
          {duration(span.duration)}
        </span>
      </div>
    </div>
  )
}

function Ruler(props: { readonly durationMs: number; readonly pointer: number | null }) {
  const { durationMs, pointer } = props
  return (
    <div className={styles['ruler']}>
      <div />
      <div className={styles['lane']}>
        {rulerTicks(durationMs).map((at) => (
          <span key={at} style={{ left: `calc(${placeOf(at, durationMs)}% + 4px)` }}>
            {tickWords(at, durationMs)}
          </span>
        ))}
        {pointer === null ? null : (
          <b style={{ left: `${pointer * 100}%` }}>{duration(momentAt(pointer, durationMs))}</b>
        )}
      </div>
    </div>
  )
}

function Grid(props: { readonly durationMs: number; readonly pointer: number | null }) {
  return (
    <div className={styles['gridlines']} aria-hidden>
      {rulerTicks(props.durationMs)
        .slice(1)
        .map((at) => (
          <i key={at} style={{ left: `${placeOf(at, props.durationMs)}%` }} />
        ))}
      {props.pointer === null ? null : (
        <i className={styles['now']} style={{ left: `${props.pointer * 100}%` }} />
      )}
    </div>
  )
}

/** Returns the pointer's place on the lanes, 0 to 1; null over the names. */
function shareAt(element: HTMLElement, x: number): number | null {
  const lane = element.querySelector(`.${styles['ruler']} .${styles['lane']}`)
  if (lane === null) return null
  const box = lane.getBoundingClientRect()
  const share = (x - box.left) / Math.max(1, box.width)
  return share < 0 || share > 1 ? null : share
}

function useWaterfallKeys(props: Props, list: RefObject<VirtualizerHandle | null>): void {
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  useKeys(
    useMemo(() => {
      const move = (step: number) => {
        const { visible, chosen, onChoose } = latest.current
        const at = chosen === null ? -1 : visible.indexOf(chosen)
        const place = Math.min(visible.length - 1, Math.max(0, at + step))
        const next = visible[place]
        if (next === undefined) return
        onChoose(next)
        list.current?.scrollToIndex(place, { align: 'nearest' })
      }
      const fold = (shouldFold: boolean) => {
        const { rows, chosen, folded, onFold, onChoose } = latest.current
        const row = chosen === null ? undefined : rows[chosen]
        if (row === undefined) return
        const isFolded = folded.has(row.span.span_id)
        if (row.descendants > 0 && isFolded !== shouldFold) onFold(row.span.span_id)
        else if (shouldFold && row.parent !== null) onChoose(row.parent)
      }
      return {
        ArrowDown: () => move(1),
        ArrowUp: () => move(-1),
        j: () => move(1),
        k: () => move(-1),
        ArrowLeft: () => fold(true),
        ArrowRight: () => fold(false),
        Escape: () => latest.current.onChoose(null),
      }
    }, [list]),
  )
}
