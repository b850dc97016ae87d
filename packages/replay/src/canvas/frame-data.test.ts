import { expect, test } from 'vitest'
import { frameData } from './frame-data.ts'

test('a picture is recorded as the calls that clear a canvas and draw over all of it', () => {
  const url = 'data:image/webp;base64,UklGRg=='
  expect(frameData({ url, width: 3000, height: 20 })).toEqual({
    type: 0,
    commands: [
      { property: 'clearRect', args: [0, 0, 3000, 20] },
      {
        property: 'drawImage',
        args: [
          {
            rr_type: 'ImageBitmap',
            args: [
              {
                rr_type: 'Blob',
                data: [{ rr_type: 'ArrayBuffer', base64: 'UklGRg==' }],
                type: 'image/webp',
              },
            ],
          },
          0,
          0,
          3000,
          20,
        ],
      },
    ],
  })
})
