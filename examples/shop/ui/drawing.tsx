import type { ReactNode } from 'react'

/** The shop's own pictures: flat shapes, lit from the left, coloured by the tile they stand on. */
const drawings: Readonly<Record<string, ReactNode>> = {
  'morning-jug': (
    <>
      <path
        className="d-shade"
        d="M139 74c26-4 38 16 31 42-5 18-19 29-33 31l-2-14c9-2 17-9 20-20 5-17-2-27-17-25z"
      />
      <path
        className="d-body"
        d="M70 52h58c4 0 10-4 14-9l6 4c-3 9-7 15-11 19 8 20 14 41 14 62 0 32-22 52-52 52s-52-20-52-52c0-26 8-47 18-66-3-3-3-10 5-10z"
      />
      <path
        className="d-light"
        d="M72 70c-9 18-15 37-15 58 0 20 9 35 22 42-7-10-11-24-11-42 0-22 6-42 14-58z"
      />
      <path className="d-shade" d="M66 58c18 6 50 6 72-4l-4 10c-20 7-48 7-66 1z" />
    </>
  ),
  'porridge-bowl': (
    <>
      <path className="d-body" d="M34 94h132c2 48-24 80-66 80S32 142 34 94z" />
      <ellipse className="d-shade" cx="100" cy="94" rx="66" ry="16" />
      <ellipse className="d-cream" cx="100" cy="97" rx="56" ry="11" />
      <path
        className="d-accent"
        d="M82 94a7 5 0 1 1 14 0 7 5 0 1 1-14 0zm18 6a6 4 0 1 1 12 0 6 4 0 1 1-12 0zm10-8a5 3.500 0 1 1 10 0 5 3.500 0 1 1-10 0z"
      />
      <path className="d-light" d="M40 108c2 28 15 50 36 60-28-6-42-30-42-60z" />
      <path className="d-shade" d="M74 168h52l4 12H70z" />
    </>
  ),
  'quiet-kettle': (
    <>
      <path className="d-wood" d="M62 66c0-46 76-46 76 0h-10c0-30-56-30-56 0z" />
      <path
        className="d-body"
        d="M152 118l28-34 10 6-26 58zM46 98c8-22 30-36 54-36s46 14 54 36c8 22 10 44 8 76H38c-2-32 0-54 8-76z"
      />
      <path
        className="d-light"
        d="M54 100c-6 20-8 44-7 66h12c-2-26 0-48 6-68 5-14 13-22 21-28-14 5-26 14-32 30z"
      />
      <path className="d-shade" d="M38 162h124v12H38zM76 66h48v6H76z" />
      <circle className="d-wood" cx="100" cy="58" r="8" />
    </>
  ),
  'reading-lamp': (
    <>
      <path className="d-glow" d="M40 92h84l34 96H6z" />
      <path className="d-line" d="M128 182V74c0-26-14-40-34-40" />
      <path className="d-body" d="M82 30c24 0 44 24 48 62H34c4-38 24-62 48-62z" />
      <path className="d-light" d="M76 36c-18 8-30 28-33 52h12c2-24 9-42 21-52z" />
      <path className="d-cream" d="M62 92h40c0 12-8 18-20 18s-20-6-20-18z" />
      <path className="d-wood" d="M96 178h66l6 12H90z" />
    </>
  ),
  'bread-board': (
    <>
      <path
        className="d-wood"
        d="M46 78c0-9 6-14 14-14h80c8 0 14 5 14 14v92c0 9-6 14-14 14H60c-8 0-14-5-14-14z"
      />
      <path className="d-wood" d="M86 66V34c0-8 6-12 14-12s14 4 14 12v32z" />
      <circle className="d-tile" cx="100" cy="38" r="6" />
      <path
        className="d-grain"
        d="M62 84c20 8 20 60 4 88M84 78c14 20 12 70 2 98M112 78c-8 30-2 60 8 98M138 82c-10 26-8 54 0 90"
      />
      <path
        className="d-body"
        d="M66 132c-4-22 16-36 38-36s40 14 36 36c-2 12-12 16-36 16s-36-4-38-16z"
      />
      <path
        className="d-light"
        d="M78 122l10-14 6 3-9 14zm20 2l9-17 6 2-8 17zm20 2l7-16 6 3-6 15z"
      />
    </>
  ),
  'linen-cloth': (
    <>
      <path
        className="d-cream"
        d="M44 46l96-16c8-1 12 3 13 10l17 112c1 8-3 12-10 13L62 180c-8 1-12-3-13-10L34 58c-1-7 3-11 10-12z"
      />
      <path
        className="d-body"
        d="M38 84l120-20 2 12L40 96zm5 26l120-19 1 6L44 116zM50 154l119-19 2 12L52 166z"
      />
      <path
        className="d-shade"
        d="M112 34l28-4c8-1 12 3 13 10l17 112c1 8-3 12-10 13l-30 5z"
        opacity=".35"
      />
    </>
  ),
  'evening-candle': (
    <>
      <circle className="d-glow" cx="78" cy="58" r="46" />
      <path className="d-cream" d="M66 78h24v92H66z" />
      <path className="d-light" d="M66 78h7v92h-7z" />
      <path className="d-cream" d="M114 104h24v66h-24z" />
      <path className="d-light" d="M114 104h7v66h-7z" />
      <path className="d-accent" d="M78 72c-10-6-12-18 0-36 12 18 10 30 0 36z" />
      <path className="d-line" d="M126 104V92" />
      <path
        className="d-body"
        d="M50 166h56c0 12-10 20-28 20s-28-8-28-20zm52 0h48c0 12-8 20-24 20s-24-8-24-20z"
      />
    </>
  ),
  'stem-vase': (
    <>
      <path
        className="d-line"
        d="M100 80c-4-24 8-40 26-60M104 56c-10-6-20-8-30-6M112 40c8 0 14 2 22 8"
      />
      <ellipse className="d-leaf" cx="70" cy="50" rx="14" ry="6" transform="rotate(8 70 50)" />
      <ellipse className="d-leaf" cx="140" cy="50" rx="13" ry="6" transform="rotate(32 140 50)" />
      <ellipse className="d-leaf" cx="128" cy="18" rx="12" ry="6" transform="rotate(-54 128 18)" />
      <path
        className="d-body"
        d="M88 74h24c0 26 2 34 14 50 20 26 8 58-26 58s-46-32-26-58c12-16 14-24 14-50z"
        opacity=".88"
      />
      <path
        className="d-light"
        d="M92 80c0 24-2 34-14 50-10 16-9 32 2 42-4-14-2-28 6-40 10-16 12-28 12-52z"
      />
      <path className="d-shade" d="M70 158c8 10 52 10 60 0-2 14-14 24-30 24s-28-10-30-24z" />
    </>
  ),
}

export function Drawing(props: { readonly slug: string; readonly label?: string }) {
  return (
    <svg
      viewBox="0 0 200 210"
      className="drawing"
      role={props.label === undefined ? undefined : 'img'}
      aria-label={props.label}
      aria-hidden={props.label === undefined}
    >
      <ellipse className="d-floor" cx="104" cy="186" rx="70" ry="9" />
      {drawings[props.slug]}
    </svg>
  )
}
