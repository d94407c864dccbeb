import { expect, test } from 'vitest'
import { render } from '#support/rendering/render.tsx'
import { CropDialog } from '#ui/crop/crop-dialog.tsx'

const note = 'Only what is inside the dashed line is printed.'
const image = { width: 1200, height: 1500, previewUrl: '/image.jpg' }
const choice = { cropDimensions: null, frontendCropDimensions: null, rotation: 0 }

test.each([
  ['a square print of an 8/10 crop', 1, true],
  ['a print with the aspect of its crop', 0.8, false],
  ['a download', null, false],
])('%s: the crop dialog says when only a part of the crop is printed', (_, printedAspect, isSaid) => {
  render(
    <CropDialog
      open
      {...{ image, choice, printedAspect }}
      aspect={0.8}
      onClose={() => undefined}
      onDone={() => undefined}
    />,
  )
  expect(document.body.textContent?.includes(note)).toBe(isSaid)
})
