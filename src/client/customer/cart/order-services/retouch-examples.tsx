import type { OrderService } from '#domain/cart/order-service-types.ts'
import styles from './retouch-examples.module.css'

type Level = NonNullable<OrderService['level']>

/** What each level removes from the drawing. */
const removals: Record<Level | 'none', readonly ('blemishes' | 'hair' | 'glare')[]> = {
  none: [],
  basic: ['blemishes'],
  premium: ['blemishes', 'hair', 'glare'],
}

const blemishes = [
  [33, 61, 1.3],
  [37, 66, 0.9],
  [65, 60, 1.2],
  [62, 66, 0.8],
  [54, 74, 1],
  [44, 33, 1],
] as const

/** A face, with what the level does not remove. */
const Face = ({ level }: { level: Level | 'none' }) => {
  const isVisible = (part: 'blemishes' | 'hair' | 'glare') => !removals[level].includes(part)
  return (
    <svg viewBox="0 0 100 100" className={styles.face} aria-hidden="true">
      <path className={styles.shirt} d="M12 100q4-14 26-16h24q22 2 26 16z" />
      <path className={styles.neck} d="M41 76h18v12q-9 7-18 0z" />
      <path className={styles.hair} d="M22 48Q20 12 50 11T78 48q2 8-2 14H24q-4-6-2-14z" />
      <path className={styles.skin} d="M27 42q0-18 23-18t23 18v12q0 27-23 28T27 54z" />
      <path className={styles.hair} d="M24 48q0-28 26-30 26 2 26 30-6-13-24-14-20 1-28 14z" />
      {isVisible('hair') && (
        <path
          className={styles.strand}
          d="M24 30q-8-2-11-9M31 17q-2-8 3-12M66 15q5-6 11-5M77 32q8-1 10-8M47 25q8 8 6 17"
        />
      )}
      <circle className={styles.iris} cx={39} cy={51} r={2.6} />
      <circle className={styles.iris} cx={61} cy={51} r={2.6} />
      <g className={styles.glasses}>
        <rect x={30} y={44} width={17} height={14} rx={6} />
        <rect x={53} y={44} width={17} height={14} rx={6} />
        <path d="M47 50q3-2 6 0M30 49l-4-2M70 49l4-2" />
      </g>
      {isVisible('glare') && <path className={styles.glare} d="M33 56l7-11h4l-7 12zM57 56l7-11h3.5l-7 12z" />}
      <path className={styles.line} d="M50 54q-3 7 1 7M41 69q9 7 18 0" />
      {isVisible('blemishes') &&
        blemishes.map(([x, y, r]) => <circle key={x} className={styles.blemish} cx={x} cy={y} r={r} />)}
    </svg>
  )
}

/** A drawn face before retouching, and after each of the levels that are offered. */
export const RetouchExamples = ({ services }: { services: readonly OrderService[] }) => {
  const examples = services.flatMap(({ orderServiceId, name, level }) =>
    level ? [{ orderServiceId, name, level }] : [],
  )
  return (
    // Drawings only: what each level changes is in its description.
    <ul className={styles.examples} aria-hidden="true">
      <li>
        <Face level="none" />
        Before
      </li>
      {examples.map(({ orderServiceId, name, level }) => (
        <li key={orderServiceId}>
          <Face level={level} />
          After: {name}
        </li>
      ))}
    </ul>
  )
}
