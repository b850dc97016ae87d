'use client'

import { Check, Copy } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { Button, type ButtonProps } from './button.tsx'

/** Puts text on the clipboard; false where the browser refuses (an insecure origin). */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

/* Over plain http (a server without TLS on the local network) there is no clipboard API. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  area.style.opacity = '0'
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  return isCopied
}

/** Copies `text`, and says so in place for two seconds. */
export function CopyButton(
  props: {
    readonly text: string | (() => string | Promise<string>)
    readonly children?: ReactNode
    readonly label?: string
    readonly icon?: ReactNode
  } & Pick<ButtonProps, 'look' | 'size' | 'isIcon' | 'isThumb' | 'className'>,
) {
  const { text, children, label, icon, ...look } = props
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [isCopied])
  return (
    <Button
      {...look}
      aria-label={isCopied ? 'Copied' : label}
      title={label}
      onClick={async () => {
        setIsCopied(await copyText(typeof text === 'string' ? text : await text()))
      }}
    >
      {isCopied ? <Check size={14} aria-hidden /> : (icon ?? <Copy size={14} aria-hidden />)}
      {children === undefined ? null : isCopied ? 'Copied' : children}
    </Button>
  )
}
