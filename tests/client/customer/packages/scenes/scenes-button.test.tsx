import { describe, expect, test, vi } from 'vitest'
import { ScenesButton } from '#client/customer/packages/scenes/scenes-button.tsx'
import { click, countElements, getButton, getElement, render } from '#support/rendering/render.tsx'
import { packageItem } from '#tests/domain/cart/cart-fixtures.ts'

const printOf = (id: number, widthInches: number | null, heightInches: number | null) => ({
  item: packageItem({ id, name: `Print ${id}`, widthInches, heightInches, textNodes: [] }),
  content: { images: new Map(), texts: new Map() },
})

const openScenes = async (...prints: ReturnType<typeof printOf>[]) => {
  render(<ScenesButton items={prints} />)
  await click(getButton('See it in a room'))
  await vi.waitFor(() => getElement('[role=dialog] figure'))
}

/** Percentages of the scene's width that its prints take, from left to right. */
const drawnWidths = () =>
  [...document.querySelectorAll<HTMLElement>('figure [role=img] > div')].map(({ style }) =>
    Number.parseFloat(style.inlineSize),
  )

describe('the prints in a room', () => {
  test('are drawn to one scale, with their sizes in words', async () => {
    await openScenes(printOf(1, 8, 10), printOf(2, 10, 13))
    const [large = 0, small = 0] = drawnWidths()
    expect(drawnWidths()).toHaveLength(2)
    expect(large / 10).toBeCloseTo(small / 8)
    expect(getElement('figcaption').textContent).toBe('10×13 in, 8×10 in, drawn to scale. The sideboard is 36 in wide.')
    expect(getElement('figure [role=img]').getAttribute('aria-label')).toBe(
      'On a wall: 10×13 in, 8×10 in, drawn to scale',
    )
  })

  test('change with the chosen scene', async () => {
    await openScenes(printOf(1, 8, 10), printOf(2, 2.5, 3.5))
    await click(getElement('[data-tab=hand]'))
    expect(getElement('figcaption').textContent).toContain('2.5×3.5 in, drawn to scale.')
  })

  test('start in their frame if they have one', async () => {
    const framed = printOf(1, 5, 7)
    await openScenes(printOf(2, 8, 10), { ...framed, item: { ...framed.item, name: 'Framed 5×7' } })
    expect(getElement('figcaption').textContent).toBe('5×7 in, drawn to scale. The frame is included.')
  })

  test('are not offered for downloads', () => {
    render(<ScenesButton items={[printOf(1, null, null)]} />)
    expect(countElements('button')).toBe(0)
  })
})
