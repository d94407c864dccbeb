import { type ComponentProps, type MouseEvent, type ReactNode, useContext } from 'react'
import { Link } from 'wouter'
import { classNames } from '../class-names.ts'
import { Spinner } from '../feedback/spinner.tsx'
import type { ControlSize } from '../form/control-size.ts'
import { Icon, type IconShape } from '../icon.tsx'
import { IconTipContext } from '../icon-tip.ts'
import styles from './button.module.css'

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'
export type IconSide = 'left' | 'right'

/** The default side of an icon (section 9). */
export const defaultIconSide: IconSide = 'left'

type Look = {
  variant?: ButtonVariant
  size?: ControlSize
  icon?: IconShape | undefined
  iconSide?: IconSide
  /** As wide as its container. */
  wide?: boolean
  children?: ReactNode
}

type ButtonContentProps = Pick<Look, 'icon' | 'iconSide' | 'children'> & { loading?: boolean }

const lookClass = ({ variant = 'primary', size = 'md', wide }: Look, extra?: string) =>
  classNames(styles.button, styles[variant], styles[size], wide && styles.wide, extra)

// The spinner replaces the icon; without one it covers the text, which keeps the width.
const ButtonContent = ({ icon, iconSide = defaultIconSide, loading, children }: ButtonContentProps) => {
  const mark = loading ? <Spinner /> : icon && <Icon of={icon} />
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
      {iconSide === 'left' && mark && <span className={styles.mark}>{mark}</span>}
      {children !== undefined && <span className={styles.words}>{children}</span>}
      {iconSide === 'right' && mark && <span className={styles.mark}>{mark}</span>}
    </>
  )
}

export type ButtonProps = Look & Omit<ComponentProps<'button'>, keyof Look> & { loading?: boolean }

/**
 * A button. While `loading` its icon is a spinner (section 4), its width stays and clicks do nothing; it keeps the
 * focus, so it is marked busy instead of disabled.
 */
export const Button = (props: ButtonProps) => {
  const { variant, size, icon, iconSide, wide, loading = false, children, className, onClick, type, ...rest } = props
  const click = (event: MouseEvent<HTMLButtonElement>) => (loading ? event.preventDefault() : onClick?.(event))
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      className={lookClass({ variant, size, wide }, className)}
      aria-busy={loading || undefined}
      aria-disabled={loading || rest['aria-disabled']}
      onClick={click}
    >
      <ButtonContent icon={icon} iconSide={iconSide} loading={loading}>
        {children}
      </ButtonContent>
    </button>
  )
}

export type ButtonLinkProps = Look & Omit<ComponentProps<'a'>, keyof Look | 'href'> & { href: string }

const leavesTheApp = (href: string) => /^[a-z][a-z\d+.-]*:|^\/\//i.test(href)

/** A link that looks like a button; internal URLs navigate without reloading the page. */
export const ButtonLink = (props: ButtonLinkProps) => {
  const { variant, size, icon, iconSide, wide, children, className, href, ...rest } = props
  const look = lookClass({ variant, size, wide }, className)
  const face = (
    <ButtonContent icon={icon} iconSide={iconSide}>
      {children}
    </ButtonContent>
  )
  if (leavesTheApp(href) || rest.download !== undefined) {
    return (
      <a {...rest} href={href} className={look}>
        {face}
      </a>
    )
  }
  return (
    <Link {...rest} href={href} className={look}>
      {face}
    </Link>
  )
}

export type IconButtonProps = Omit<ButtonProps, 'children' | 'icon' | 'iconSide' | 'wide' | 'aria-label'> & {
  icon: IconShape
  /** Accessible name of the button. */
  label: string
}

/** A square icon-only button, by default of the `quiet` variant. On staff screens a tooltip shows its label. */
export const IconButton = ({ label, variant = 'quiet', className, ...rest }: IconButtonProps) => {
  const Tip = useContext(IconTipContext)
  const button = (
    <Button {...rest} variant={variant} aria-label={label} className={classNames(styles.square, className)} />
  )
  return Tip ? <Tip label={label}>{button}</Tip> : button
}
