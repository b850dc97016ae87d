import arial from '@capsizecss/metrics/arial'
import barlow from '@capsizecss/metrics/barlow'
import courierNew from '@capsizecss/metrics/courierNew'
import dMSans from '@capsizecss/metrics/dMSans'
import figtree from '@capsizecss/metrics/figtree'
import firaCode from '@capsizecss/metrics/firaCode'
import geist from '@capsizecss/metrics/geist'
import geistMono from '@capsizecss/metrics/geistMono'
import iBMPlexMono from '@capsizecss/metrics/iBMPlexMono'
import iBMPlexSans from '@capsizecss/metrics/iBMPlexSans'
import inter from '@capsizecss/metrics/inter'
import jetBrainsMono from '@capsizecss/metrics/jetBrainsMono'
import karla from '@capsizecss/metrics/karla'
import lato from '@capsizecss/metrics/lato'
import lora from '@capsizecss/metrics/lora'
import manrope from '@capsizecss/metrics/manrope'
import merriweather from '@capsizecss/metrics/merriweather'
import montserrat from '@capsizecss/metrics/montserrat'
import mulish from '@capsizecss/metrics/mulish'
import notoSans from '@capsizecss/metrics/notoSans'
import nunito from '@capsizecss/metrics/nunito'
import nunitoSans from '@capsizecss/metrics/nunitoSans'
import openSans from '@capsizecss/metrics/openSans'
import oswald from '@capsizecss/metrics/oswald'
import outfit from '@capsizecss/metrics/outfit'
import playfairDisplay from '@capsizecss/metrics/playfairDisplay'
import plusJakartaSans from '@capsizecss/metrics/plusJakartaSans'
import poppins from '@capsizecss/metrics/poppins'
import publicSans from '@capsizecss/metrics/publicSans'
import pTSans from '@capsizecss/metrics/pTSans'
import quicksand from '@capsizecss/metrics/quicksand'
import raleway from '@capsizecss/metrics/raleway'
import roboto from '@capsizecss/metrics/roboto'
import robotoMono from '@capsizecss/metrics/robotoMono'
import robotoSlab from '@capsizecss/metrics/robotoSlab'
import rubik from '@capsizecss/metrics/rubik'
import sourceCodePro from '@capsizecss/metrics/sourceCodePro'
import sourceSans3 from '@capsizecss/metrics/sourceSans3'
import sourceSerif4 from '@capsizecss/metrics/sourceSerif4'
import spaceGrotesk from '@capsizecss/metrics/spaceGrotesk'
import timesNewRoman from '@capsizecss/metrics/timesNewRoman'
import ubuntu from '@capsizecss/metrics/ubuntu'
import workSans from '@capsizecss/metrics/workSans'

/*
 * A web font is not part of a recording. A font of the reader's machine stands in for it, stretched so that the
 * lines break where they broke: with the measures of the fonts that are used most.
 */

interface Measures {
  readonly familyName: string
  readonly category: string
  readonly ascent: number
  readonly descent: number
  readonly lineGap: number
  readonly unitsPerEm: number
  readonly xWidthAvg: number
}

const measured: readonly Measures[] = [
  barlow,
  dMSans,
  figtree,
  firaCode,
  geist,
  geistMono,
  iBMPlexMono,
  iBMPlexSans,
  inter,
  jetBrainsMono,
  karla,
  lato,
  lora,
  manrope,
  merriweather,
  montserrat,
  mulish,
  notoSans,
  nunito,
  nunitoSans,
  openSans,
  oswald,
  outfit,
  playfairDisplay,
  plusJakartaSans,
  poppins,
  publicSans,
  pTSans,
  quicksand,
  raleway,
  roboto,
  robotoMono,
  robotoSlab,
  rubik,
  sourceCodePro,
  sourceSans3,
  sourceSerif4,
  spaceGrotesk,
  ubuntu,
  workSans,
]
const byName = new Map(measured.map((font) => [keyOf(font.familyName), font]))

/** Substitutes by category: fonts of one width whose names differ between systems. */
const standIns: Readonly<
  Record<string, { readonly font: Measures; readonly names: readonly string[] }>
> = {
  serif: { font: timesNewRoman, names: ['Times New Roman', 'Liberation Serif', 'Times'] },
  monospace: { font: courierNew, names: ['Courier New', 'Liberation Mono', 'Courier'] },
}
const sansSerif = { font: arial, names: ['Arial', 'Liberation Sans', 'Helvetica'] }

/**
 * The descriptors of an `@font-face` rule that stands in for the family; null for a family whose measures are not
 * known: the next font that the page names is then the better one.
 */
export function fallbackOf(family: string, isBold: boolean): string | null {
  const font = byName.get(keyOf(family))
  if (font === undefined) return null
  const { font: other, names } = standIns[font.category] ?? sansSerif
  const stretch = font.xWidthAvg / font.unitsPerEm / (other.xWidthAvg / other.unitsPerEm)
  const share = (units: number) => percent(Math.abs(units) / (font.unitsPerEm * stretch))
  const faces = names.map((name) => `local("${isBold ? `${name} Bold` : name}")`)
  return `src:${faces.join(',')};size-adjust:${percent(stretch)};ascent-override:${share(font.ascent)};descent-override:${share(font.descent)};line-gap-override:${share(font.lineGap)}`
}

/** `__Inter_5cfdac`, `"Inter Variable"`, `InterVariable`, `Inter var` and `GeistSans` are the fonts they say. */
function keyOf(family: string): string {
  const name = family.replace(/^["'\s_]+|["'\s]+$/g, '').replace(/_[0-9a-f]{6}$/i, '')
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '')
  return plain.replace(/(?:variable|var|vf)$/, '').replace(/^geistsans$/, 'geist')
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)}%`
}
