import * as arrow from 'lucide-react/icons/arrow-right'
import * as bag from 'lucide-react/icons/shopping-bag'
import type { FunctionComponent } from 'react'
import { expect, test } from 'vitest'
import { getElement, render } from '#support/rendering/render.tsx'
import { Icon, type IconShape } from '#ui/icon.tsx'
import makeIcon from '#ui/make-icon.ts'

type IconFile = { default: IconShape; __iconData: Parameters<typeof makeIcon>[0] }

const drawIcon = (shape: IconShape | FunctionComponent<never>) => {
  const { rerender } = render(<Icon of={shape as IconShape} />) // an icon of `makeIcon` is rendered only by `Icon`, which sets all its props
  const svg = getElement('svg')
  const attributes = Object.fromEntries([...svg.attributes].map(({ name, value }) => [name, value]))
  const markup = svg.innerHTML
  rerender(null)
  return { attributes, markup }
}

test.each([arrow, bag] as unknown as IconFile[])(
  'an icon of `makeIcon` is rendered like the same icon of its package',
  (file) => {
    const { attributes, markup } = drawIcon(file.default)
    const { class: _, xmlns: __, ...otherAttributes } = attributes
    expect(markup).not.toBe('')
    expect(drawIcon(makeIcon(file.__iconData))).toEqual({ attributes: otherAttributes, markup })
  },
)
