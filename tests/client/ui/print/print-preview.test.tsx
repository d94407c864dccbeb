import { act } from 'react'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { online } from '#platform/online.ts'
import { glyphTable } from '#support/printing/glyph-table.ts'
import { countElements, getElement, render } from '#support/rendering/render.tsx'
import type { PrintContent, PrintImage } from '#ui/print/print-content.ts'
import { PrintPreview } from '#ui/print/print-preview.tsx'
import { imageNode, packageItem, textNode } from '../../../domain/cart/cart-fixtures.ts'

const picture = (url: string, more: Partial<PrintImage> = {}): PrintImage => ({
  url,
  background: null,
  width: 2400,
  height: 3000,
  crop: null,
  rotation: 0,
  ...more,
})
const item = packageItem({
  imageNodes: [imageNode({ id: 1 }), imageNode({ id: 2 }), imageNode({ id: 3, static: true })],
  textNodes: [textNode({ id: 21 })],
})
const content = (with_: Partial<PrintContent> = {}): PrintContent => ({
  images: new Map(),
  texts: new Map(),
  ...with_,
})
const drawn = () => [...document.querySelectorAll('image')].map((image) => image.getAttribute('href'))

describe('a print without its font', () => {
  const texts = new Map([[21, 'Ada']])
  let answers: (() => Promise<Response>)[] = []
  const fetched = vi.fn(() => answers.shift()?.() ?? Promise.reject(new TypeError('no network')))

  beforeAll(() => vi.stubGlobal('fetch', fetched))

  test('does not request it if there is no text', () => {
    render(<PrintPreview item={item} content={content({ images: new Map([[1, picture('/a')]]) })} />)
    expect(fetched).not.toHaveBeenCalled()
  })

  test('draws its texts once the font has loaded, which is requested again when the network is back', async () => {
    await act(async () => render(<PrintPreview item={item} content={content({ texts })} />))
    expect(countElements('path')).toBe(0)
    await act(async () => online.set(false))
    answers = [async () => Response.json(glyphTable)]
    await act(async () => online.set(true))
    expect(countElements('path')).toBe(1)
    expect(fetched).toHaveBeenCalledTimes(2)
  })

  test('requests it once for all prints of all screens', async () => {
    await act(async () => render(<PrintPreview item={item} content={content({ texts })} />))
    expect(countElements('path')).toBe(1)
    expect(fetched).not.toHaveBeenCalled()
  })
})

describe('the images of a print', () => {
  test('are drawn in the order of their nodes, each on its background or on paper, artwork over what lies below', () => {
    const pictures = new Map([
      [3, picture('/artwork')],
      [2, picture('/second')],
      [1, picture('/first', { background: { url: '/beach' } })],
    ])
    render(<PrintPreview item={item} content={content({ images: pictures })} />)
    expect(drawn()).toEqual(['/beach', '/first', '/second', '/artwork'])
    expect(countElements('rect')).toBe(1)
  })

  test('show the placeholder until they load, or if they fail', async () => {
    const better = { ...picture('/better', { standIn: '/small' }), background: { url: '/beach', standIn: '/sand' } }
    render(<PrintPreview item={item} content={content({ images: new Map([[1, better]]) })} />)
    expect(drawn()).toEqual(['/sand', '/beach', '/small', '/better'])
    await act(async () => getElement('[href="/better"]').dispatchEvent(new Event('load')))
    expect(drawn()).toEqual(['/sand', '/beach', '/better'])
    await act(async () => getElement('[href="/beach"]').dispatchEvent(new Event('error')))
    expect(drawn()).toEqual(['/sand', '/better'])
  })

  test('are outlines if there are none yet', () => {
    render(<PrintPreview item={item} content={content({ images: new Map([[2, picture('/second')]]) })} label="8×10" />)
    expect(drawn()).toEqual(['/second'])
    expect(getElement('[role=img]').querySelectorAll(':scope > div')).toHaveLength(2)
  })
})
