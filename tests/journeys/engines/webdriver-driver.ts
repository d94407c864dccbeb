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

/**
 * Whether an element is enabled, not moving, and topmost at its center. A radio button or a check box may be covered by its label. An
 * animation that follows the scroll position has another timeline, and moves nothing by itself.
 */
const isReachable = `
  const [element] = arguments
  const isMoving = document.getAnimations().some(({ playState, timeline, effect }) =>
    playState === 'running' && timeline === document.timeline && effect.getComputedTiming().endTime !== Infinity && effect.target?.contains(element))
  const { x, y, width, height } = element.getBoundingClientRect()
  const topmost = document.elementFromPoint(x + width / 2, y + height / 2)
  const isUncovered = element.matches('[type=radio], [type=checkbox]') || element.contains(topmost)
  return isUncovered && !isMoving && !element.matches('${disabledSelector}')`

const fileFieldName = `
  const [element] = arguments
  return element.ariaLabel ?? [...element.labels].map((label) => label.textContent).join(' ')`

/** WebDriver's codes of the keys that are not letters. */
const keyCodes: Record<Key, string> = { Home: '\uE011', PageUp: '\uE00E', Enter: '\uE007' }

/** Polls `read` until it returns a value, because WebDriver has no events. After the timeout it throws with the last error as cause. */
const pollUntil = async <Value>(failure: string, read: () => Promise<Value | undefined>): Promise<Value> => {
  const end = performance.now() + timeout
  let lastError: unknown
  while (performance.now() < end) {
    // A query fails when the page changes during it; the next poll succeeds.
    const value = await read().catch((error: unknown) => {
      lastError = error
      return undefined
    })
    if (value !== undefined) return value
    await wait(interval)
  }
  throw new Error(`${failure} within ${timeout / 1000} s`, { cause: lastError })
}

/** A driver on plain WebDriver. */
export const webdriverDriver = (browser: WebDriver): BrowserDriver => {
  const findNamed = async (elements: readonly WebElement[], name: TextMatch): Promise<WebElement | undefined> => {
    for (const element of elements) {
      // WebKit throws when asked for the name of a hidden element, such as the links of a wider layout.
      const elementName = await browser.name(element).catch(() => undefined)
      if (elementName !== undefined && isTextMatch(name, elementName)) return element
    }
    return undefined
  }
  // A file field is hidden behind a button, and WebKit names no hidden element.
  const findFileField = async (label: TextMatch): Promise<WebElement | undefined> => {
    for (const element of await browser.find('input[type=file]')) {
      if (isTextMatch(label, await browser.run<string>(fileFieldName, element))) return element
    }
    return undefined
  }
  const find = async (role: Role, name: TextMatch, region?: TextMatch): Promise<WebElement | undefined> => {
    if (!region) return findNamed(await browser.find(selectorsByRole[role]), name)
    const section = await findNamed(await browser.find('section'), region)
    return section && findNamed(await browser.find(selectorsByRole[role], section), name)
  }
  const findReachable = async (role: Role, name: TextMatch, region?: TextMatch): Promise<WebElement | undefined> => {
    const element = await find(role, name, region)
    if (!element) return undefined
    await browser.run('arguments[0].scrollIntoView({ block: "center" })', element)
    // The caller retries while the control is disabled, moving or covered.
    return (await browser.run<boolean>(isReachable, element)) ? element : undefined
  }
  const read = () => browser.run<string>('return document.body ? document.body.innerText : ""')
  return {
    goTo: browser.open,
    click: async (role, name, region) => {
      await pollUntil(`no ${role} “${name}” could be clicked`, async () => {
        const element = await findReachable(role, name, region)
        if (element) await browser.click(element)
        return element
      })
    },
    type: async (label, text) => {
      await pollUntil(`nothing could be typed into “${label}”`, async () => {
        const element = await findReachable('textbox', label)
        if (!element) return undefined
        await browser.run('arguments[0].focus(); arguments[0].select()', element)
        await browser.type(element, text)
        return element
      })
    },
    press: (keys) => browser.press(keys.map((key) => keyCodes[key])),
    upload: async (label, paths) => {
      await pollUntil(`no files could be given to “${label}”`, async () => {
        const element = await findFileField(label)
        // Several paths are separated by line breaks.
        if (element) await browser.type(element, paths.join('\n'))
        return element
      })
    },
    drag: async (name, offset) => {
      const button = await pollUntil(`no button “${name}” could be dragged`, () => findReachable('button', name))
      await browser.drag(button, offset)
    },
    choose: async (label, option) => {
      await pollUntil(`“${option}” could not be chosen from “${label}”`, async () => {
        const list = await findReachable('combobox', label)
        if (!list) return undefined
        const labels = await browser.run<string[]>('return [...arguments[0].options].map(({ label }) => label)', list)
        const index = labels.findIndex((label) => isTextMatch(option, label))
        if (index < 0) return undefined
        const element = await browser.run<WebElement>('return arguments[0].options[arguments[1]]', list, index)
        await browser.click(element)
        return element
      })
    },
    slide: async (label, keys) => {
      const slider = await pollUntil(`no slider “${label}” could be moved`, () => findReachable('slider', label))
      await browser.run('arguments[0].focus()', slider)
      await browser.press(keys.map((key) => keyCodes[key]))
    },
    waitForValue: async (role, label, value) => {
      await pollUntil(`the ${role} “${label}” did not have the value “${value}”`, async () => {
        const element = await find(role, label)
        const elementValue = element && (await browser.run<string>('return arguments[0].value', element))
        return (elementValue !== undefined && isTextMatch(value, elementValue)) || undefined
      })
    },
    waitForAlert: async (text) => {
      await pollUntil(`no alert showed “${text}”`, async () => {
        const script = 'return [...document.querySelectorAll("[role=alert]")].map((alert) => alert.textContent)'
        const alertTexts = (await browser.run<string[]>(script)).filter((alertText) => alertText !== '')
        return (alertTexts.length > 0 && alertTexts.every((alertText) => isTextMatch(text, alertText))) || undefined
      })
    },
    waitFor: async (text) => {
      await pollUntil(`“${text}” did not appear`, async () => {
        const pageText = (await read()).replace(/\s+/g, ' ')
        const isVisible = typeof text === 'string' ? pageText.includes(text) : text.test(pageText)
        return isVisible || undefined
      }).catch(async (error: Error) => {
        throw new Error(`${error.message}; the page shows: ${await read()}`, { cause: error })
      })
    },
    read,
    run: (work, argument) => browser.run(`return (${work})(arguments[0])`, argument),
    size: browser.size,
    address: () => browser.run('return location.href'),
    close: browser.close,
  }
}
