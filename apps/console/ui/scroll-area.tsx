'use client'

import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'

/**
 * Draws a part of the page that may be wider or higher than its place. While it is, it takes the
 * focus, so that the keyboard can move it; while everything fits, Tab passes it by.
 */
export function ScrollArea(props: {
  /** Name of its contents, for screen readers. */
  readonly label: string
  readonly as?: 'div' | 'pre'
  readonly className?: string | undefined
  readonly children: ReactNode
}) {
  const { as: Tag = 'div' } = props
  const area = useRef<HTMLDivElement & HTMLPreElement>(null)
  // Before measuring, and without scripts, the content may be cut: the server's document is focusable too.
  const [isCut, setIsCut] = useState(true)
  const measure = useCallback(() => {
    const element = area.current
    if (element === null) return
    setIsCut(
      element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight,
    )
  }, [])
  useEffect(() => {
    if (area.current === null) return
    const observer = new ResizeObserver(measure)
    observer.observe(area.current)
    return () => observer.disconnect()
  }, [measure])
  // Other content may be cut where the present one was not, in a place of the same size.
  useEffect(measure)
  return (
    <Tag
      ref={area}
      className={props.className}
      role="group"
      aria-label={props.label}
      {...(isCut ? { tabIndex: 0 } : {})}
    >
      {props.children}
    </Tag>
  )
}
