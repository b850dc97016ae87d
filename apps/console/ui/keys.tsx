'use client'

import { useEffect, useRef } from 'react'
import { keyName, nextChord } from './key-chords.ts'

export type KeyActions = Readonly<Record<string, (event: KeyboardEvent) => void>>

/** Every mounted set of actions, the newest last: it is asked first. */
const layers: { actions: KeyActions }[] = []
let before: { name: string; at: number } | null = null
let isListening = false

/**
 * Binds keys while the component is mounted. Names as in `key-chords.ts`. The component mounted last
 * wins. Nothing happens while the reader types, nor under an open dialog or menu (except `mod+…`).
 */
export function useKeys(actions: KeyActions): void {
  const layer = useRef({ actions })
  useEffect(() => {
    layer.current.actions = actions
  }, [actions])
  useEffect(() => {
    if (!isListening) {
      isListening = true
      window.addEventListener('keydown', onKeyDown)
    }
    const mine = layer.current
    layers.push(mine)
    return () => {
      layers.splice(layers.lastIndexOf(mine), 1)
    }
  }, [])
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  const name = keyName({
    key: event.key,
    hasMod: event.metaKey || event.ctrlKey,
    hasShift: event.shiftKey,
    hasAlt: event.altKey,
  })
  if (name === null || (!name.startsWith('mod+') && (isTyping(event) || isModalOpen()))) return
  const { action, waiting } = nextChord(name, before, event.timeStamp, isKnown)
  before = waiting ? { name, at: event.timeStamp } : null
  if (action === null) return
  const act = layers.findLast((layer) => action in layer.actions)?.actions[action]
  // Enter and Space belong to what has the focus when that is a control.
  if (act === undefined || ((name === 'Enter' || name === ' ') && isControl(event.target))) return
  event.preventDefault()
  act(event)
}

function isKnown(name: string): boolean {
  // The space bar is a key of its own, not the beginning of a chord.
  if (name === ' ' || !name.endsWith(' ')) return layers.some((layer) => name in layer.actions)
  return layers.some((layer) =>
    Object.keys(layer.actions).some((key) => key.startsWith(name) && key !== name),
  )
}

function isTyping(event: KeyboardEvent): boolean {
  const target = event.target
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || /^(?:input|textarea|select)$/i.test(target.tagName)
}

function isControl(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('a, button, summary, [role=checkbox], [role=menuitem]') !== null
  )
}

function isModalOpen(): boolean {
  return (
    document.querySelector(
      '[role=dialog][data-open], [role=menu][data-open], [role=alertdialog][data-open]',
    ) !== null
  )
}
