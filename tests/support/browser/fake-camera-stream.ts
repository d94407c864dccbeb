import type { Page } from 'playwright/test'

/** Replaces the tablet's camera by a stream that shows a sheet of paper, drawn from the PNG. */
export const fakeCameraStream = (page: Page, png: Buffer): Promise<unknown> =>
  page.addInitScript((base64: string) => {
    const getFakeStream = async () => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      const sheet = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
      const canvas = document.createElement('canvas')
      canvas.width = sheet.width
      canvas.height = sheet.height
      const draw = () => {
        canvas.getContext('2d')?.drawImage(sheet, 0, 0)
        requestAnimationFrame(draw)
      }
      draw()
      return canvas.captureStream()
    }
    navigator.mediaDevices.getUserMedia = getFakeStream
  }, png.toString('base64'))
