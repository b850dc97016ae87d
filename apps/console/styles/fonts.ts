import localFont from 'next/font/local'

/*
 * Self-hosted, Latin only, from the packages of Fontsource. Other scripts fall back to the system's
 * fonts. Source Serif is for headings only and carries its optical sizes.
 */
const geist = localFont({
  src: '../../../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-geist',
  display: 'swap',
})

const geistMono = localFont({
  src: '../../../node_modules/@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-geist-mono',
  display: 'swap',
  adjustFontFallback: false,
})

const sourceSerif = localFont({
  src: '../../../node_modules/@fontsource-variable/source-serif-4/files/source-serif-4-latin-opsz-normal.woff2',
  weight: '200 900',
  variable: '--font-source-serif',
  display: 'swap',
  adjustFontFallback: 'Times New Roman',
})

/** The class that defines the three font variables; goes on `<html>` (or the pages mode's root). */
export const fontVariables = `${geist.variable} ${geistMono.variable} ${sourceSerif.variable}`

/**
 * The same three variables as a rule for `:root`. The pages mode cannot put a class of `next/font` on its
 * `<html>`, and the tokens need the variables there.
 */
export const fontRule = `:root{--font-geist:${geist.style.fontFamily};--font-geist-mono:${geistMono.style.fontFamily};--font-source-serif:${sourceSerif.style.fontFamily}}`
