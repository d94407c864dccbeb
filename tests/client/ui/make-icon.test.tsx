import * as arrow from 'lucide-react/icons/arrow-right'
import * as bag from 'lucide-react/icons/shopping-bag'
import type { FunctionComponent } from 'react'
import { expect, test } from 'vitest'
import { getElement, render } from '#support/rendering/render.tsx'
import { Icon, type IconShape } from '#ui/icon.tsx'
import makeIcon from '#ui/make-icon.ts'

type IconFile = { default: IconShape; __iconData: Parameters<typeof makeIcon>[0] }

const drawn = (shape: IconShape | FunctionComponent<never>) => {
  const { again } = render(<Icon of={shape as IconShape} />) // ours is only drawn by `Icon`, which sets all its props
  const svg = getElement('svg')
  const attributes = Object.fromEntries([...svg.attributes].map(({ name, value }) => [name, value]))
  const inside = svg.innerHTML
  again(null)
  return { attributes, inside }
}

test.each([arrow, bag] as unknown as IconFile[])('an icon looks as its package draws it', (file) => {
  const { attributes, inside } = drawn(file.default)
  const { class: _, xmlns: __, ...seen } = attributes
  expect(inside).not.toBe('')
  expect(drawn(makeIcon(file.__iconData))).toEqual({ attributes: seen, inside })
})
