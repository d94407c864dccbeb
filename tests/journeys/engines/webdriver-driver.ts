import { setTimeout as wait } from 'node:timers/promises'
import type { WebDriver, WebElement } from '#support/browser/webkit-webdriver.ts'
import { type BrowserDriver, isTextMatch, type Key, type Role, type TextMatch } from './browser-driver.ts'

const timeout = 30_000
const interval = 100
const disabledSelector = ':disabled, [aria-disabled=true]'

/** Elements that may have a role. The browser is then asked for their names. */
const selectorsByRole: Record<Role, string> = {
  button: 'button, [role=button]',
  link: 'a[href]',
  radio: 'input[type=radio]',
  checkbox: 'input[type=checkbox]',
  textbox: 'input:not([type=radio]):not([type=checkbox]):not([type=range]), textarea',
  combobox: 'select',
  slider: 'input[type=range]',
  tab: '[role=tab]',
}

/** Whether an element is topmost at its middle and scrolled into view. A radio button or a check box may be drawn by its label. */
const isReachable = `
  const [element] = arguments
  const isMoving = document.getAnimations().some(({ playState, effect }) =>
    playState === 'running' && effect.getComputedTiming().endTime !== Infinity && effect.target?.contains(element))
  const { x, y, width, height } = element.getBoundingClientRect()
  const uppermost = document.elementFromPoint(x + width / 2, y + height / 2)
  const isFree = element.matches('[type=radio], [type=checkbox]') || element.contains(uppermost)
  return isFree && !isMoving && !element.matches('${disabledSelector}')`

/** WebDriver's codes of the keys that are not letters. */
const codes: Record<Key, string> = { Home: '\uE011', PageUp: '\uE00E', Enter: '\uE007' }

/** WebDriver has no events, so `look` is polled. After the timeout the browser's last error is thrown. */
const until = async <Found>(what: string, look: () => Promise<Found | undefined>): Promise<Found> => {
  const end = performance.now() + timeout
  let complaint: unknown
  while (performance.now() < end) {
    // A query fails when the page changes during it; the next poll succeeds.
    const found = await look().catch((error: unknown) => {
      complaint = error
      return undefined
    })
    if (found !== undefined) return found
    await wait(interval)
  }
  throw new Error(`${what} within ${timeout / 1000} s`, { cause: complaint })
}

/** A driver on plain WebDriver. */
export const webdriverDriver = (browser: WebDriver): BrowserDriver => {
  const named = async (elements: readonly WebElement[], name: TextMatch): Promise<WebElement | undefined> => {
    for (const element of elements) {
      // WebKit throws when asked for the name of a hidden element, such as the links of a wider layout.
      const said = await browser.name(element).catch(() => undefined)
      if (said !== undefined && isTextMatch(name, said)) return element
    }
    return undefined
  }
  const find = async (role: Role, name: TextMatch, region?: TextMatch): Promise<WebElement | undefined> => {
    if (!region) return named(await browser.find(selectorsByRole[role]), name)
    const place = await named(await browser.find('section'), region)
    return place && named(await browser.find(selectorsByRole[role], place), name)
  }
  const reach = async (role: Role, name: TextMatch, region?: TextMatch): Promise<WebElement | undefined> => {
    const element = await find(role, name, region)
    if (!element) return undefined
    await browser.run('arguments[0].scrollIntoView({ block: "center" })', element)
    // Waits for a control that is disabled, moving or covered.
    return (await browser.run<boolean>(isReachable, element)) ? element : undefined
  }
  const read = () => browser.run<string>('return document.body ? document.body.innerText : ""')
  return {
    goTo: browser.open,
    click: async (role, name, region) => {
      await until(`no ${role} “${name}” could be clicked`, async () => {
        const element = await reach(role, name, region)
        if (element) await browser.click(element)
        return element
      })
    },
    type: async (label, text) => {
      await until(`nothing could be typed into “${label}”`, async () => {
        const element = await reach('textbox', label)
        if (!element) return undefined
        await browser.run('arguments[0].focus(); arguments[0].select()', element)
        await browser.type(element, text)
        return element
      })
    },
    press: (keys) => browser.press(keys.map((key) => codes[key])),
    upload: async (label, paths) => {
      await until(`no files could be given to “${label}”`, async () => {
        const element = await named(await browser.find('input[type=file]'), label)
        // Several paths are separated by line breaks.
        if (element) await browser.type(element, paths.join('\n'))
        return element
      })
    },
    drag: async (name, way) => {
      const held = await until(`no button “${name}” could be taken hold of`, () => reach('button', name))
      await browser.drag(held, way)
    },
    choose: async (label, wanted) => {
      await until(`“${wanted}” could not be chosen from “${label}”`, async () => {
        const list = await reach('combobox', label)
        if (!list) return undefined
        const labels = await browser.run<string[]>('return [...arguments[0].options].map(({ label }) => label)', list)
        const place = labels.findIndex((label) => isTextMatch(wanted, label))
        if (place < 0) return undefined
        const option = await browser.run<WebElement>('return arguments[0].options[arguments[1]]', list, place)
        await browser.click(option)
        return option
      })
    },
    slide: async (label, keys) => {
      const slider = await until(`no slider “${label}” could be moved`, () => reach('slider', label))
      await browser.run('arguments[0].focus()', slider)
      await browser.press(keys.map((key) => codes[key]))
    },
    waitForValue: async (role, label, value) => {
      await until(`the ${role} “${label}” did not hold “${value}”`, async () => {
        const element = await find(role, label)
        const held = element && (await browser.run<string>('return arguments[0].value', element))
        return (held !== undefined && isTextMatch(value, held)) || undefined
      })
    },
    waitForAlert: async (text) => {
      await until(`no alert said “${text}”`, async () => {
        const body = 'return [...document.querySelectorAll("[role=alert]")].map((alert) => alert.textContent)'
        const said = (await browser.run<string[]>(body)).filter((words) => words !== '')
        return (said.length > 0 && said.every((words) => isTextMatch(text, words))) || undefined
      })
    },
    waitFor: async (text) => {
      await until(`“${text}” could not be read`, async () => {
        const seen = (await read()).replace(/\s+/g, ' ')
        const isThere = typeof text === 'string' ? seen.includes(text) : text.test(seen)
        return isThere || undefined
      }).catch(async (error: Error) => {
        throw new Error(`${error.message}; there is: ${await read()}`, { cause: error })
      })
    },
    read,
    run: (work, given) => browser.run(`return (${work})(arguments[0])`, given),
    size: browser.size,
    address: () => browser.run('return location.href'),
    close: browser.close,
  }
}
