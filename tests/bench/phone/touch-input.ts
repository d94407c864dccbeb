import { setTimeout as wait } from 'node:timers/promises'
import type { CDPSession, Locator } from 'playwright'

type Point = { x: number; y: number }

/** Scrolls the target to the middle of the screen, and waits for the visible images. */
const scrollIntoView = (target: Locator): Promise<void> =>
  target.evaluate(async (element) => {
    ;(element.closest('label') ?? element).scrollIntoView({ block: 'center', inline: 'nearest' })
    const isVisible = (image: HTMLImageElement): boolean => {
      const { left, right, top, bottom } = image.getBoundingClientRect()
      return right > 0 && left < window.innerWidth && bottom > 0 && top < window.innerHeight
    }
    await Promise.allSettled([...document.images].filter(isVisible).map((image) => image.decode()))
  })

/** The point where a finger touches the target, or null if that point is out of view or covered. */
const getTouchPoint = (target: Locator): Promise<Point | null> =>
  target.evaluate((element) => {
    const touchArea = element.closest('label') ?? element
    const { x, y, width, height } = touchArea.getBoundingClientRect()
    const point = { x: x + width / 2, y: y + height / 2 }
    const hit = document.elementFromPoint(point.x, point.y)
    return hit && (touchArea.contains(hit) || hit.contains(element)) ? point : null
  })

/** Milliseconds that the page settles after scrolling, and milliseconds that a touch lasts. */
const [settleMs, touchMs] = [300, 80]

/** Scrolls to the target until it can be touched, because the last tap may have moved it. Returns its touch point. */
export const findTouchPoint = async (target: Locator): Promise<Point> => {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await scrollIntoView(target)
    await wait(settleMs)
    const point = await getTouchPoint(target)
    if (point) return point
  }
  throw new Error('the target stays out of view or covered')
}

/** Sends only the touch, because queries to the page around a tap would count as its own work. */
export const touch = async (session: CDPSession, point: Point): Promise<void> => {
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
  await wait(touchMs)
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}
