import type { Appearance } from '@stripe/stripe-js'

/** Resolves one of our colours for Stripe's frame, which does not know this page's custom properties. */
const colourOf = (container: HTMLElement, name: string): string => {
  const probe = container.appendChild(document.createElement('i'))
  probe.style.color = `var(${name})`
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** Our current theme as the appearance of Stripe's fields. */
export const stripeAppearance = (container: HTMLElement): Appearance => {
  const style = getComputedStyle(container)
  const lineColour = colourOf(container, '--line-strong')
  const accent = colourOf(container, '--accent')
  return {
    theme: 'flat',
    labels: 'above',
    variables: {
      colorPrimary: accent,
      colorBackground: colourOf(container, '--raised'),
      colorText: colourOf(container, '--ink'),
      colorTextSecondary: colourOf(container, '--ink-soft'),
      colorDanger: colourOf(container, '--danger'),
      fontFamily: style.fontFamily,
      fontSizeBase: style.fontSize,
      borderRadius: '8px',
      spacingGridRow: '16px',
    },
    rules: {
      '.Input': { border: `1px solid ${lineColour}`, boxShadow: 'none', padding: '12px' },
      '.Input:focus': { borderColor: accent, boxShadow: `0 0 0 2px ${accent}` },
    },
  }
}
