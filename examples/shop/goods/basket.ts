'use client'

import { useSyncExternalStore } from 'react'

/** Slug → count. It lives in this browser. */
export type Basket = Readonly<Record<string, number>>

const empty: Basket = {}
const listeners = new Set<() => void>()
let current: Basket | null = null

export function useBasket(): Basket {
  return useSyncExternalStore(subscribe, readBasket, () => empty)
}

/** Sets how many of one thing are wanted; 0 takes it out. */
export function setCount(slug: string, count: number): void {
  const { [slug]: _, ...others } = readBasket()
  save(count > 0 ? { ...others, [slug]: Math.min(count, 99) } : others)
}

export function addToBasket(slug: string): void {
  setCount(slug, (readBasket()[slug] ?? 0) + 1)
}

export function emptyBasket(): void {
  save({})
}

export function countOf(basket: Basket): number {
  return Object.values(basket).reduce((sum, count) => sum + count, 0)
}

function readBasket(): Basket {
  try {
    current ??= JSON.parse(localStorage.getItem('basket') ?? '{}') as Basket
  } catch {
    current = {}
  }
  return current
}

function save(basket: Basket): void {
  current = basket
  localStorage.setItem('basket', JSON.stringify(basket))
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
