import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ImageStrip } from '#client/customer/packages/images/image-strip.tsx'
import type { Image } from '#contract/shapes/image-structs.ts'
import { getElement, render } from '#support/rendering/render.tsx'
import { isNearView } from '#ui/rendering/use-in-view.ts'
import { image } from '../package-examples.ts'

const frame = { left: 0, right: 400, top: 0, bottom: 100 }
const at = (left: number, top = 0) => ({ left, right: left + 100, top, bottom: top + 50 })

test.each([
  ['inside the frame', at(200), true],
  ['one frame after it', at(790), true],
  ['more than one frame after it', at(801), false],
  ['one frame before it', at(-490), true],
  ['more than one frame before it', at(-501), false],
  ['far below it', at(0, 201), false],
  ['far above it', at(0, -151), false],
])('an element %s is near the viewport or not', (_, box, near) => {
  expect(isNearView(box, frame)).toBe(near)
})

const many = Array.from({ length: 500 }, (_, index) => image(1000 + index))
const words = (_: Image, index: number) => `Pose ${index + 1}`

/** Sheets as a browser lays them out: 2000 pixels each, in a row 400 wide. */
const layOut = function (this: Element): DOMRect {
  const sheet = [...(this.parentElement?.children ?? [])].indexOf(this)
  return this.classList.contains('row') ? new DOMRect(0, 0, 400, 100) : new DOMRect(sheet * 2000, 0, 1990, 100)
}

type Watched = { target: Element; hear: (seen: { isIntersecting: boolean }[]) => void; root: unknown }
let watched: Watched[] = []

class Observer {
  hear: Watched['hear']
  root: unknown
  constructor(hear: Watched['hear'], { root }: { root: unknown }) {
    this.hear = hear
    this.root = root
  }
  observe(target: Element) {
    watched.push({ target, hear: this.hear, root: this.root })
  }
  disconnect() {
    watched = watched.filter(({ hear }) => hear !== this.hear)
  }
}

beforeEach(() => {
  vi.stubGlobal('IntersectionObserver', Observer)
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(layOut)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const show = (chosen: number | null, onChoose = vi.fn()) => {
  const strip = (now: number | null) => (
    <ImageStrip
      images={many}
      name="pose"
      className="row"
      labelOf={words}
      chosen={now}
      yearBook={1001}
      onChoose={onChoose}
    />
  )
  const { again } = render(strip(chosen))
  return { again: (now: number | null) => again(strip(now)), onChoose }
}
const names = () => [...document.querySelectorAll('input')].map((input) => input.getAttribute('aria-label'))
const comes = (sheet: number, isIntersecting: boolean) => act(() => watched[sheet]?.hear([{ isIntersecting }]))

test('of hundreds of images only those near the viewport are rendered, each with its position', () => {
  show(null)
  expect(names()).toHaveLength(10)
  expect(names().slice(0, 2)).toEqual(['Pose 1', 'Pose 2, in the yearbook'])
  const place = ['aria-posinset', 'aria-setsize'].map((name) => getElement('input').getAttribute(name))
  expect(place).toEqual(['1', '500'])
  expect(watched).toHaveLength(50)
  expect(watched.every(({ root }) => root === getElement('.row'))).toBe(true)
})

test('others are rendered and removed while scrolling, except the focused one', () => {
  show(null)
  comes(1, true)
  expect(names()).toHaveLength(20)
  expect(names().at(-1)).toBe('Pose 20')
  comes(0, false)
  expect(names()[0]).toBe('Pose 11')
  getElement('[aria-label="Pose 12"]').focus()
  comes(1, false)
  expect(names()).toHaveLength(10)
  act(() => getElement('[aria-label="Pose 12"]').blur())
  expect(names()).toEqual([])
})

test('the chosen image is always rendered, and the row is scrolled to it', () => {
  const { again, onChoose } = show(1300)
  expect(names()).toHaveLength(20)
  expect(getElement<HTMLInputElement>(':checked').getAttribute('aria-label')).toBe('Pose 301')
  expect(getElement('.row').scrollLeft).toBeGreaterThan(0)
  getElement('[aria-label="Pose 302"]').click()
  expect(onChoose).toHaveBeenCalledExactlyOnceWith(many[301])
  again(1000)
  expect(names()).toHaveLength(10)
})
