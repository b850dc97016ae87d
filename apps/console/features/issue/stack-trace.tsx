'use client'

import type { ApiEvent, ApiException, ApiStacktrace } from '@afterimage/protocol/api/event'
import { useState } from 'react'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ScrollArea } from '../../ui/scroll-area.tsx'
import { Section } from '../../ui/section.tsx'
import { State } from '../../ui/state.tsx'
import { useStored } from '../../ui/stored.ts'
import { Switch } from '../../ui/switch.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { bareStack, exceptionsOf, stackParts, type StackPart } from './frames.ts'
import { Folded, Frame } from './frame.tsx'
import { stackText } from './markdown.ts'
import styles from './stack-trace.module.css'

type View = 'frames' | 'minified' | 'raw'

/** Draws the exceptions, newest first, each with its frames, followed by their causes. */
export function StackTrace(props: { readonly event: ApiEvent }) {
  const { event } = props
  const [view, setView] = useState<View>('frames')
  const [showAll, setShowAll] = useStored('all-frames')
  const chain = exceptionsOf(event)
  const bare = chain.length === 0 ? bareStack(event) : null
  const hasMinified = chain.some((one) => one.exception.rawStacktrace !== null)
  const isEmpty = bare === null && !chain.some((one) => one.exception.stacktrace !== null)
  const options = [
    { id: 'frames', label: hasMinified ? 'Original' : 'Frames' },
    ...(hasMinified ? [{ id: 'minified', label: 'Minified' }] : []),
    { id: 'raw', label: 'Raw' },
  ]
  return (
    <Section
      id="stack"
      title="Stack trace"
      note={chain.length > 1 ? `${chain.length} exceptions` : undefined}
      tools={
        isEmpty ? undefined : (
          <>
            <Segments
              label="How the stack is shown"
              options={options}
              selected={view}
              onSelect={(id) => setView(id as View)}
            />
            <Switch isOn={showAll !== '1'} onChange={(isOn) => setShowAll(isOn ? null : '1')}>
              In-app first
            </Switch>
            <CopyButton look="bare" className={styles['copy'] ?? ''} text={() => stackText(event)}>
              Copy
            </CopyButton>
          </>
        )
      }
    >
      <div className={styles['stacks']}>
        {view === 'raw' ? (
          <ScrollArea as="pre" label="The stack as text" className={styles['raw']}>
            {stackText(event)}
          </ScrollArea>
        ) : (
          <>
            {chain.map(({ exception, relation }, index) => (
              <ExceptionBlock
                key={index}
                exception={exception}
                relation={relation}
                isOnly={chain.length === 1}
                stack={view === 'minified' ? exception.rawStacktrace : exception.stacktrace}
                showAll={showAll === '1'}
              />
            ))}
            {bare === null ? null : <Frames stack={bare} showAll={showAll === '1'} />}
            {isEmpty ? (
              <State kind="empty" title="No stack trace">
                The client sent none with this event.
              </State>
            ) : null}
          </>
        )}
      </div>
    </Section>
  )
}

function ExceptionBlock(props: {
  readonly exception: ApiException
  readonly relation: string | null
  readonly isOnly: boolean
  readonly stack: ApiStacktrace | null
  readonly showAll: boolean
}) {
  const { exception } = props
  return (
    <div className={styles['exception']}>
      {props.isOnly ? null : (
        <h3 className={styles['thrown']}>
          {props.relation === null ? null : <span>{props.relation}</span>}
          <b>{exception.type ?? 'Error'}</b> {exception.value}
        </h3>
      )}
      {props.stack === null || props.stack.frames.length === 0 ? (
        <p className={styles['none']}>No frames.</p>
      ) : (
        <Frames stack={props.stack} showAll={props.showAll} />
      )}
    </div>
  )
}

function Frames(props: { readonly stack: ApiStacktrace; readonly showAll: boolean }) {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const parts = stackParts(props.stack, props.showAll)
  return (
    <ol className={styles['frames']}>
      {parts.map((part, index) => (
        <Part
          key={index}
          part={part}
          isUnfolded={opened.has(index)}
          onUnfold={() => setOpened(new Set([...opened, index]))}
        />
      ))}
      {props.stack.framesOmitted === null ? null : (
        <li className={styles['none']}>
          Frames {props.stack.framesOmitted[0]} to {props.stack.framesOmitted[1]} were left out.
        </li>
      )}
    </ol>
  )
}

function Part(props: {
  readonly part: StackPart
  readonly isUnfolded: boolean
  readonly onUnfold: () => void
}) {
  const { part } = props
  if (part.type === 'frame') return <Frame frame={part.frame} startsOpen={part.isOpen} />
  if (!props.isUnfolded) return <Folded words={part.words} onUnfold={props.onUnfold} />
  return part.frames.map((frame, index) => <Frame key={index} frame={frame} startsOpen={false} />)
}
