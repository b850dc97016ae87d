'use client'

import { useMemo, useRef } from 'react'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { useKeys } from '../../../ui/keys.tsx'
import { chapterAt } from '../timeline/chapters.ts'
import { Picture } from './picture.tsx'
import type { Player } from './player.ts'
import { Scrubber } from './scrubber.tsx'
import { toggleFullScreen, Transport } from './transport.tsx'
import { useAt, usePlayerState, useTimeline } from './use-player.ts'
import styles from './player.module.css'

/** The recorded page in its frame, the line of time, and the hands. Keys act while it is mounted. */
export function PlayerView(props: { readonly player: Player }) {
  const { player } = props
  const screen = useRef<HTMLElement>(null)
  const { size } = usePlayerState(player)
  useKeys(
    useMemo(
      () => ({
        ' ': () => player.toggle(),
        ArrowLeft: () => player.seek(player.at() - 10_000),
        ArrowRight: () => player.seek(player.at() + 10_000),
        'shift+ArrowLeft': () => player.step(-1),
        'shift+ArrowRight': () => player.step(1),
        ArrowUp: () => player.changeSpeed(1),
        ArrowDown: () => player.changeSpeed(-1),
        f: () => toggleFullScreen(screen.current),
      }),
      [player],
    ),
  )
  return (
    <section ref={screen} className={styles['screen']} aria-label="Player">
      <div className={styles['device']}>
        <UrlBar player={player} />
        <div
          className={styles['shot']}
          style={{ aspectRatio: size === null ? '16 / 10' : `${size.width} / ${size.height}` }}
        >
          <Picture player={player} />
        </div>
      </div>
      <div className={styles['below']}>
        <Scrubber player={player} />
        <Transport player={player} screen={screen} />
      </div>
    </section>
  )
}

function UrlBar(props: { readonly player: Player }) {
  const { chapters } = useTimeline(props.player)
  const { size } = usePlayerState(props.player)
  const url = useAt(props.player, (at) => chapterAt(chapters, at)?.url ?? '')
  const shown = splitUrl(url)
  return (
    <div className={styles['urlbar']}>
      <span className={styles['url']} title={url}>
        {shown.host}
        <b>{shown.path}</b>
      </span>
      {size === null ? null : (
        <span>
          {size.width} × {size.height}
        </span>
      )}
      <CopyButton look="bare" isIcon label="Copy the address" text={url} />
    </div>
  )
}

function splitUrl(url: string): { host: string; path: string } {
  try {
    const parsed = new URL(url)
    return { host: parsed.host, path: url.slice(url.indexOf(parsed.host) + parsed.host.length) }
  } catch {
    return { host: '', path: url }
  }
}
