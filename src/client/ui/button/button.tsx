import {
  type ComponentProps,
  type ComponentType,
  createContext,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useContext,
} from 'react'
import { Link } from 'wouter'
import { classNames } from '../class-names.ts'
import { Spinner } from '../feedback/loader.tsx'
import { Icon, type IconShape } from '../icon.tsx'
import styles from './button.module.css'

/** The sizes of a control, which set its minimum height (section 5). On touch screens, `xs` and `sm` are 44 px high. */
export const controlSizes = ['xs', 'sm', 'md', 'lg'] as const

export type ControlSize = (typeof controlSizes)[number]

/** A component that wraps an icon-only control and shows its label as a tooltip. */
export type IconTooltip = ComponentType<{
  label: string
  children: ReactElement<{ 'aria-describedby'?: string | undefined }>
}>

/** The tooltip component of icon-only buttons, which staff screens provide. Without it, only screen readers get the label. */
export const IconTooltipContext = createContext<IconTooltip | null>(null)

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'
export type IconSide = 'left' | 'right'

/** The side of a button's icon unless `iconSide` is given (section 9). */
export const defaultIconSide: IconSide = 'left'

type ButtonAppearance = {
  variant?: ButtonVariant
  size?: ControlSize
  icon?: IconShape | undefined
  iconSide?: IconSide
  /** Makes it as wide as its container. */
  wide?: boolean
  children?: ReactNode
}

type ButtonContentProps = Pick<ButtonAppearance, 'icon' | 'iconSide' | 'children'> & { loading?: boolean }

const buttonClass = ({ variant = 'primary', size = 'md', wide }: ButtonAppearance, extra?: string) =>
  classNames(styles.button, styles[variant], styles[size], wide && styles.wide, extra)

// While loading, a spinner replaces the icon. Without an icon it covers the text, which still sets the width.
const ButtonContent = ({ icon, iconSide = defaultIconSide, loading, children }: ButtonContentProps) => {
  const iconOrSpinner = loading ? <Spinner /> : icon && <Icon of={icon} />
  if (!icon && loading) {
    return (
      <>
        <span className={styles.cover}>
          <Spinner />
        </span>
        <span className={styles.covered}>{children}</span>
      </>
    )
  }
  return (
    <>
      {iconSide === 'left' && iconOrSpinner && <span className={styles.icon}>{iconOrSpinner}</span>}
      {children !== undefined && <span className={styles.text}>{children}</span>}
      {iconSide === 'right' && iconOrSpinner && <span className={styles.icon}>{iconOrSpinner}</span>}
    </>
  )
}

export type ButtonProps = ButtonAppearance &
  Omit<ComponentProps<'button'>, keyof ButtonAppearance> & { loading?: boolean }

/**
 * A button. While `loading`, it shows a spinner at the same width (section 4) and ignores clicks. It is marked busy
 * instead of disabled, because a disabled button would lose the focus.
 */
export const Button = (props: ButtonProps) => {
  const {
    variant,
    size,
    icon,
    iconSide,
    wide,
    loading = false,
    children,
    className,
    onClick,
    type,
    ...buttonProps
  } = props
  const click = (event: MouseEvent<HTMLButtonElement>) => (loading ? event.preventDefault() : onClick?.(event))
  return (
    <button
      {...buttonProps}
      type={type ?? 'button'}
      className={buttonClass({ variant, size, wide }, className)}
      aria-busy={loading || undefined}
      aria-disabled={loading || buttonProps['aria-disabled']}
      onClick={click}
    >
      <ButtonContent icon={icon} iconSide={iconSide} loading={loading}>
        {children}
      </ButtonContent>
    </button>
  )
}

export type ButtonLinkProps = ButtonAppearance &
  Omit<ComponentProps<'a'>, keyof ButtonAppearance | 'href'> & { href: string }

const isExternalUrl = (href: string) => /^[a-z][a-z\d+.-]*:|^\/\//i.test(href)

/** A link that looks like a button. It navigates without loading a page, unless its URL is external or a download. */
export const ButtonLink = (props: ButtonLinkProps) => {
  const { variant, size, icon, iconSide, wide, children, className, href, ...linkProps } = props
  const linkClass = buttonClass({ variant, size, wide }, className)
  const content = (
    <ButtonContent icon={icon} iconSide={iconSide}>
      {children}
    </ButtonContent>
  )
  if (isExternalUrl(href) || linkProps.download !== undefined) {
    return (
      <a {...linkProps} href={href} className={linkClass}>
        {content}
      </a>
    )
  }
  return (
    <Link {...linkProps} href={href} className={linkClass}>
      {content}
    </Link>
  )
}

export type IconButtonProps = Omit<ButtonProps, 'children' | 'icon' | 'iconSide' | 'wide' | 'aria-label'> & {
  icon: IconShape
  /** Accessible name of the button. */
  label: string
}

/** A square button with only an icon, `quiet` by default. On staff screens a tooltip shows its label. */
export const IconButton = ({ label, variant = 'quiet', className, ...buttonProps }: IconButtonProps) => {
  const Tooltip = useContext(IconTooltipContext)
  const button = (
    <Button {...buttonProps} variant={variant} aria-label={label} className={classNames(styles.square, className)} />
  )
  return Tooltip ? <Tooltip label={label}>{button}</Tooltip> : button
}
