import type { CSSProperties } from 'react'
import type { LogoShape } from '#contract/shapes/image-structs.ts'
import { classNames } from '#ui/class-names.ts'
import styles from './studio-logo.module.css'

type LogoInfo = { name: string; logo: string | null; logoShape?: LogoShape | null | undefined }

/** Whether the logo contains the studio's name; otherwise the name is shown next to it. */
export const logoShowsName = ({ logo, logoShape }: LogoInfo): boolean => logo !== null && logoShape?.wordmark === true

type StudioLogoProps = { studio: LogoInfo; large?: boolean }

/** A studio's logo, in a box reserved before it loads, or the first letter of its name. */
export const StudioLogo = ({ studio, large }: StudioLogoProps) => {
  const { name, logo, logoShape } = studio
  const isWordmark = logoShowsName(studio)
  const { width, height } = logoShape ?? {}
  return (
    <span
      className={classNames(styles.mark, isWordmark && styles.wordmark, large && styles.large)}
      aria-hidden={!isWordmark}
    >
      {logo ? (
        <img
          src={logo}
          alt={isWordmark ? name : ''}
          width={width}
          height={height}
          // React's style type has no custom properties.
          style={logoShape ? ({ '--shape': `${width} / ${height}` } as CSSProperties) : undefined}
        />
      ) : (
        name.slice(0, 1)
      )}
    </span>
  )
}
