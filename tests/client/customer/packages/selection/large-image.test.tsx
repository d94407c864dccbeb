// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import { LargeImage } from '#client/customer/packages/selection/large-image.tsx'
import { render } from '#support/rendering/render.tsx'

const image = { previewUrl: '/photos/1', thumbnailUrl: '/thumbs/1', width: 800, height: 1000 }

afterEach(() => document.getElementById('first-view')?.remove())

test('the image of the first view moves into the screen instead of loading again', () => {
  document.body.insertAdjacentHTML('afterbegin', '<div id="first-view"><main><img src="/photos/1" alt=""></main></div>')
  const loadedImage = document.querySelector('#first-view img')
  const { box: container } = render(<LargeImage image={image} alt="Ada, Photo 1" />)
  expect(container.querySelector('img')).toBe(loadedImage)
  expect(container.querySelectorAll('img')).toHaveLength(1)
  expect(loadedImage?.getAttribute('alt')).toBe('Ada, Photo 1')
})

test('an image that replaces that of the first view is shown', () => {
  document.body.insertAdjacentHTML('afterbegin', '<div id="first-view"><main><img src="/photos/1" alt=""></main></div>')
  const { box, rerender } = render(<LargeImage image={image} alt="Ada, Photo 1" />)
  rerender(<LargeImage image={{ ...image, previewUrl: '/photos/2' }} alt="Ada, Photo 2" />)
  const shown = [...box.querySelectorAll('img')].map((element) => [element.getAttribute('src'), element.alt])
  expect(shown).toEqual([['/photos/2', 'Ada, Photo 2']])
})

test('without a first view, the image loads with a high priority', () => {
  const { box: container } = render(<LargeImage image={image} alt="Ada, Photo 1" />)
  expect(container.querySelector('img')?.getAttribute('src')).toBe('/photos/1')
  expect(container.querySelector('img')?.getAttribute('fetchpriority')).toBe('high')
  expect(container.querySelector('img')?.srcset).toBe('/photos/1-900 900w, /photos/1 1280w')
})
