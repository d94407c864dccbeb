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

/** The side an icon stands on unless the screen says otherwise (section 9). */
export const defaultIconSide: IconSide = 'left'

type Look = {
  variant?: ButtonVariant
  size?: ControlSize
  icon?: IconShape | undefined
  iconSide?: IconSide
  /** As wide as what it stands in. */
  wide?: boolean
  children?: ReactNode
}

type FaceProps = Pick<Look, 'icon' | 'iconSide' | 'children'> & { loading?: boolean }

const lookClass = ({ variant = 'primary', size = 'md', wide }: Look, extra?: string) =>
  classNames(styles.button, styles[variant], styles[size], wide && styles.wide, extra)

// With an icon the spinner takes its place; without one it covers the words, which stay and hold the width.
const Face = ({ icon, iconSide = defaultIconSide, loading, children }: FaceProps) => {
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
 * A button. While `loading` its icon is a spinner (section 4), its width stays, and taps do nothing; it keeps the focus, so it
 * is marked busy instead of being disabled.
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
      <Face icon={icon} iconSide={iconSide} loading={loading}>
        {children}
      </Face>
    </button>
  )
}

export type ButtonLinkProps = Look & Omit<ComponentProps<'a'>, keyof Look | 'href'> & { href: string }

const leavesTheApp = (href: string) => /^[a-z][a-z\d+.-]*:|^\/\//i.test(href)

/** A link that looks like a button; addresses of ours change the screen without loading the page again. */
export const ButtonLink = (props: ButtonLinkProps) => {
  const { variant, size, icon, iconSide, wide, children, className, href, ...rest } = props
  const look = lookClass({ variant, size, wide }, className)
  const face = (
    <Face icon={icon} iconSide={iconSide}>
      {children}
    </Face>
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
  /** What it does, for those who can't see the icon. */
  label: string
}

/** A square button with only an icon, of the `quiet` variant by default. On staff's screens a tooltip shows its label. */
export const IconButton = ({ label, variant = 'quiet', className, ...rest }: IconButtonProps) => {
  const Tip = useContext(IconTipContext)
  const button = (
    <Button {...rest} variant={variant} aria-label={label} className={classNames(styles.square, className)} />
  )
  return Tip ? <Tip label={label}>{button}</Tip> : button
}
