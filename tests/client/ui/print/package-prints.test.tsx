import { expect, test } from 'vitest'
import { render } from '#support/rendering/render.tsx'
import { packageItem } from '#tests/domain/cart/cart-fixtures.ts'
import { PackagePrints } from '#ui/print/package-prints.tsx'

const printOf = (id: number, name: string) => ({
  item: packageItem({ id, name, widthInches: 5, heightInches: 7, textNodes: [] }),
  content: { images: new Map(), texts: new Map() },
})

const widths = () =>
  [...document.querySelectorAll<HTMLElement>('[role=img] div')].flatMap(({ style }) => {
    const width = style.getPropertyValue('--width')
    return width === '' ? [] : [Number(width)]
  })

test('a framed print is drawn with its frame, and takes the room of both', () => {
  render(<PackagePrints items={[printOf(1, '5×7'), printOf(2, 'Framed 5×7')]} label="Prints" />)
  expect(widths()).toEqual([5, 6])
  expect(document.querySelectorAll('[data-framed]')).toHaveLength(1)
})
