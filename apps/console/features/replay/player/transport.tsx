'use client'

import { Maximize, Pause, Play, RotateCcw, RotateCw, SkipBack, SkipForward } from 'lucide-react'
import type { RefObject } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Kbd } from '../../../ui/kbd.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { clock, clockSeconds } from '../timeline/clock.ts'
import { speeds, type Player } from './player.ts'
import { useAt, usePlayerState, useTimeline } from './use-player.ts'
import styles from './player.module.css'

/** Play, steps and speed. `screen` is what fills the screen on request. */
export function Transport(props: {
  readonly player: Player
  readonly screen: RefObject<HTMLElement | null>
  /** The clip has fewer hands. */
  readonly isSmall?: boolean
}) {
  const { player } = props
  const state = usePlayerState(player)
  const timeline = useTimeline(player)
  const now = useAt(player, clock)
  const isSmall = props.isSmall === true
  const speed = `${state.speed}×`
  return (
    <div className={styles['transport']}>
      <Button
        look={isSmall ? 'bare' : 'ink'}
        className={isSmall ? undefined : styles['play']}
        isIcon
        aria-label={state.isPlaying ? 'Pause' : 'Play'}
        onClick={player.toggle}
      >
        {state.isPlaying ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
      </Button>
      {isSmall ? null : <Steps player={player} />}
      <span className={styles['clock']}>
        {now} <span>/ {clockSeconds(timeline.durationMs)}</span>
      </span>
      <span className={styles['grow']} />
      {isSmall ? null : (
        <span className={styles['hint']}>
          <Kbd>Space</Kbd> play <Kbd>⇧←</Kbd>
          <Kbd>⇧→</Kbd> markers
        </span>
      )}
      <span className={styles['skip']}>
        <Switch isOn={state.isSkippingIdle} onChange={player.setSkippingIdle}>
          Skip idle
        </Switch>
      </span>
      <Menu
        align="end"
        trigger={
          <Button look="bare" aria-label={`Speed ${speed}`}>
            {speed}
          </Button>
        }
      >
        {speeds.map((one) => (
          <MenuItem key={one} isChecked={one === state.speed} onSelect={() => player.setSpeed(one)}>
            {one}×
          </MenuItem>
        ))}
      </Menu>
      <Button
        look="bare"
        isIcon
        aria-label="Full screen"
        onClick={() => toggleFullScreen(props.screen.current)}
      >
        <Maximize size={15} aria-hidden />
      </Button>
    </div>
  )
}

function Steps(props: { readonly player: Player }) {
  const { player } = props
  return (
    <>
      <Button
        look="bare"
        isIcon
        aria-label="Back 10 seconds"
        onClick={() => player.seek(player.at() - 10_000)}
      >
        <RotateCcw size={15} aria-hidden />
      </Button>
      <Button
        look="bare"
        isIcon
        aria-label="Forward 10 seconds"
        onClick={() => player.seek(player.at() + 10_000)}
      >
        <RotateCw size={15} aria-hidden />
      </Button>
      <Button look="bare" isIcon aria-label="Previous marker" onClick={() => player.step(-1)}>
        <SkipBack size={15} aria-hidden />
      </Button>
      <Button look="bare" isIcon aria-label="Next marker" onClick={() => player.step(1)}>
        <SkipForward size={15} aria-hidden />
      </Button>
    </>
  )
}

export function toggleFullScreen(element: HTMLElement | null): void {
  if (document.fullscreenElement !== null) void document.exitFullscreen()
  else void element?.requestFullscreen().catch(() => {})
}
