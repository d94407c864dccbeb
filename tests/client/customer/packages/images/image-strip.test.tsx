import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ImageStrip } from '#client/customer/packages/images/image-strip.tsx'
import type { Image } from '#contract/shapes/image-structs.ts'
import { getElement, render } from '#support/rendering/render.tsx'
import { isNearView } from '#ui/rendering/use-in-view.ts'
import { image } from '../package-examples.ts'

const frame = { left: 0, right: 400, top: 0, bottom: 100 }
const boxAt = (left: number, top = 0) => ({ left, right: left + 100, top, bottom: top + 50 })

test.each([
  ['inside the frame is near the viewport', boxAt(200), true],
  ['one frame after it is near the viewport', boxAt(790), true],
  ['more than one frame after it is not near the viewport', boxAt(801), false],
  ['one frame before it is near the viewport', boxAt(-490), true],
  ['more than one frame before it is not near the viewport', boxAt(-501), false],
  ['far below it is not near the viewport', boxAt(0, 201), false],
  ['far above it is not near the viewport', boxAt(0, -151), false],
])('an element %s', (_, box, isNear) => {
  expect(isNearView(box, frame)).toBe(isNear)
})

const manyImages = Array.from({ length: 500 }, (_, index) => image(1000 + index))
const labelOf = (_: Image, index: number) => `Photo ${index + 1}`

/** Sheets as a browser lays them out: 2000 pixels each, in a row 400 wide. */
const layOut = function (this: Element): DOMRect {
  const sheet = [...(this.parentElement?.children ?? [])].indexOf(this)
  return this.classList.contains('row') ? new DOMRect(0, 0, 400, 100) : new DOMRect(sheet * 2000, 0, 1990, 100)
}

type Observation = { target: Element; notify: (entries: { isIntersecting: boolean }[]) => void; root: unknown }
let observations: Observation[] = []

class FakeIntersectionObserver {
  notify: Observation['notify']
  root: unknown
  constructor(notify: Observation['notify'], { root }: { root: unknown }) {
    this.notify = notify
    this.root = root
  }
  observe(target: Element) {
    observations.push({ target, notify: this.notify, root: this.root })
  }
  disconnect() {
    observations = observations.filter(({ notify }) => notify !== this.notify)
  }
}

beforeEach(() => {
  vi.stubGlobal('IntersectionObserver', FakeIntersectionObserver)
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(layOut)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const renderStrip = (chosen: number | null, onChoose = vi.fn()) => {
  const strip = (chosenId: number | null) => (
    <ImageStrip
      images={manyImages}
      name="pose"
      className="row"
      labelOf={labelOf}
      chosenId={chosenId}
      yearBookImageId={1001}
      onChoose={onChoose}
    />
  )
  const { rerender } = render(strip(chosen))
  return { rerender: (chosenId: number | null) => rerender(strip(chosenId)), onChoose }
}
const names = () => [...document.querySelectorAll('input')].map((input) => input.getAttribute('aria-label'))
const scrollTo = (sheet: number, isIntersecting: boolean) =>
  act(() => observations[sheet]?.notify([{ isIntersecting }]))

test('only the images near the viewport are rendered, each with its position', () => {
  renderStrip(null)
  expect(names()).toHaveLength(10)
  expect(names().slice(0, 2)).toEqual(['Photo 1', 'Photo 2, in the yearbook'])
  const position = ['aria-posinset', 'aria-setsize'].map((name) => getElement('input').getAttribute(name))
  expect(position).toEqual(['1', '500'])
  expect(observations).toHaveLength(50)
  expect(observations.every(({ root }) => root === getElement('.row'))).toBe(true)
})

test('other images are rendered and removed while scrolling, except the focused one', () => {
  renderStrip(null)
  scrollTo(1, true)
  expect(names()).toHaveLength(20)
  expect(names().at(-1)).toBe('Photo 20')
  scrollTo(0, false)
  expect(names()[0]).toBe('Photo 11')
  getElement('[aria-label="Photo 12"]').focus()
  scrollTo(1, false)
  expect(names()).toHaveLength(10)
  act(() => getElement('[aria-label="Photo 12"]').blur())
  expect(names()).toEqual([])
})

test('the chosen image is always rendered, and the row is scrolled to it', () => {
  const { rerender, onChoose } = renderStrip(1300)
  expect(names()).toHaveLength(20)
  expect(getElement<HTMLInputElement>(':checked').getAttribute('aria-label')).toBe('Photo 301')
  expect(getElement('.row').scrollLeft).toBeGreaterThan(0)
  getElement('[aria-label="Photo 302"]').click()
  expect(onChoose).toHaveBeenCalledExactlyOnceWith(manyImages[301])
  rerender(1000)
  expect(names()).toHaveLength(10)
})
