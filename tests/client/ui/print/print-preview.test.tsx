import { act } from 'react'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { online } from '#platform/online.ts'
import { glyphTable } from '#support/printing/glyph-table.ts'
import { countElements, getElement, render } from '#support/rendering/render.tsx'
import { imageNode, packageItem, textNode } from '#tests/domain/cart/cart-fixtures.ts'
import type { PrintContent, PrintImage } from '#ui/print/print-content.ts'
import { PrintPreview } from '#ui/print/print-preview.tsx'

const createImage = (url: string, overrides: Partial<PrintImage> = {}): PrintImage => ({
  url,
  background: null,
  width: 2400,
  height: 3000,
  crop: null,
  rotation: 0,
  ...overrides,
})
const item = packageItem({
  imageNodes: [imageNode({ id: 1 }), imageNode({ id: 2 }), imageNode({ id: 3, static: true })],
  textNodes: [textNode({ id: 21 })],
})
const createContent = (overrides: Partial<PrintContent> = {}): PrintContent => ({
  images: new Map(),
  texts: new Map(),
  ...overrides,
})
const imageUrls = () => [...document.querySelectorAll('image')].map((image) => image.getAttribute('href'))

describe('a print without its font', () => {
  const texts = new Map([[21, 'Ada']])
  let responses: (() => Promise<Response>)[] = []
  const fetchMock = vi.fn(() => responses.shift()?.() ?? Promise.reject(new TypeError('no network')))

  beforeAll(() => vi.stubGlobal('fetch', fetchMock))

  test('does not request the font if there is no text', () => {
    render(<PrintPreview item={item} content={createContent({ images: new Map([[1, createImage('/a')]]) })} />)
    expect(fetchMock).not.toHaveBeenCalled()
  })

  test('draws its texts once the font is loaded, and requests it again when the network is back', async () => {
    await act(async () => render(<PrintPreview item={item} content={createContent({ texts })} />))
    expect(countElements('path')).toBe(0)
    await act(async () => online.set(false))
    responses = [async () => Response.json(glyphTable)]
    await act(async () => online.set(true))
    expect(countElements('path')).toBe(1)
    expect(fetchMock).toHaveBeenCalledTimes(2)
  })

  test('uses the loaded font for all later prints', async () => {
    await act(async () => render(<PrintPreview item={item} content={createContent({ texts })} />))
    expect(countElements('path')).toBe(1)
    expect(fetchMock).not.toHaveBeenCalled()
  })
})

describe('the images of a print', () => {
  test('are drawn in the order of their nodes, each on its background or on paper, artwork on top', () => {
    const images = new Map([
      [3, createImage('/artwork')],
      [2, createImage('/second')],
      [1, createImage('/first', { background: { url: '/beach' } })],
    ])
    render(<PrintPreview item={item} content={createContent({ images })} />)
    expect(imageUrls()).toEqual(['/beach', '/first', '/second', '/artwork'])
    expect(countElements('rect')).toBe(1)
  })

  test('show the placeholder until they load, or if they fail', async () => {
    const largeImage = {
      ...createImage('/large', { placeholderUrl: '/small' }),
      background: { url: '/beach', placeholderUrl: '/sand' },
    }
    render(<PrintPreview item={item} content={createContent({ images: new Map([[1, largeImage]]) })} />)
    expect(imageUrls()).toEqual(['/sand', '/beach', '/small', '/large'])
    await act(async () => getElement('[href="/large"]').dispatchEvent(new Event('load')))
    expect(imageUrls()).toEqual(['/sand', '/beach', '/large'])
    await act(async () => getElement('[href="/beach"]').dispatchEvent(new Event('error')))
    expect(imageUrls()).toEqual(['/sand', '/large'])
  })

  test('are replaced by outlines where there are none yet', () => {
    render(
      <PrintPreview
        item={item}
        content={createContent({ images: new Map([[2, createImage('/second')]]) })}
        label="8×10"
      />,
    )
    expect(imageUrls()).toEqual(['/second'])
    expect(getElement('[role=img]').querySelectorAll(':scope > div')).toHaveLength(2)
  })
})
