/** Where customers live: the demo taxes its sales by their states. */
export const homes = {
  OH: { address1: '12 Linden Avenue', city: 'Dayton', state: 'OH', zip: '45402' },
  PA: { address1: '310 Penn Avenue', city: 'Pittsburgh', state: 'PA', zip: '15222' },
  NY: { address1: '77 Court Street', city: 'Brooklyn', state: 'NY', zip: '11201' },
  TX: { address1: '905 Congress Avenue', city: 'Austin', state: 'TX', zip: '78701' },
  OR: { address1: '41 Ankeny Street', city: 'Portland', state: 'OR', zip: '97204' },
} as const

/** An order of the past job: packages by the beginnings of their names, all of one subject. */
export type DemoOrder = {
  /** Days from the day of seeding. */
  day: number
  payment: 'card' | 'cash' | 'check'
  customer: string
  home: keyof typeof homes
  subject: string
  packages: readonly string[]
  promoCode?: string
  /** Staff add basic retouching. */
  isRetouched?: boolean
  /** The customer chooses the subject's first image for the yearbook. */
  choosesPose?: boolean
  /** What the customer did on the following day. */
  nextDay?: 'cancelled' | { removed: string }
}

type Placed = [day: number, payment: DemoOrder['payment'], customer: string, home: DemoOrder['home']]
type Sold = [subject: string, ...packages: string[]]
type Details = Pick<DemoOrder, 'promoCode' | 'isRetouched' | 'choosesPose' | 'nextDay'>

const order = (
  [day, payment, customer, home]: Placed,
  [subject, ...packages]: Sold,
  details: Details = {},
): DemoOrder => ({ day, payment, customer, home, subject, packages, ...details })

/** The oldest first. `tests/server/reports/demo-reports.test.ts` has their amounts, worked out by hand. */
export const classPortraitsOrders: readonly DemoOrder[] = [
  order([-44, 'card', 'Nora Benson', 'OH'], ['Clara Benson', 'Package B', '16 Mini'], { choosesPose: true }),
  order([-41, 'cash', 'Luis Fuentes', 'OH'], ['Diego Fuentes', 'Package E']),
  order([-38, 'card', 'Megan Hart', 'PA'], ['Emma Hart', 'Package A'], { choosesPose: true }),
  order([-35, 'check', 'Linh Nguyen', 'OH'], ['Felix Nguyen', 'Package E', 'Extra 5×7']),
  order([-31, 'card', 'Paolo Romano', 'OH'], ['Gia Romano', 'Package A'], { promoCode: 'SAVE10', choosesPose: true }),
  order([-28, 'card', 'Grace Cho', 'NY'], ['Henry Cho', 'Package B', 'Extra 5×7']),
  order([-25, 'card', 'Denise Wells', 'OH'], ['Imani Wells', 'Package B', '16 Mini', 'Package E'], {
    nextDay: { removed: 'Package E' },
  }),
  order([-22, 'cash', 'Anna Berg', 'OH'], ['Jonas Berg', 'Package E'], { isRetouched: true }),
  order([-20, 'card', 'Sanjay Patel', 'TX'], ['Kira Patel', 'Package A', '16 Mini'], { choosesPose: true }),
  order([-17, 'card', 'Elena Moretti', 'OH'], ['Luca Moretti', 'Download All']),
  order([-15, 'card', 'Ruth Benson', 'OR'], ['Clara Benson', 'Package B']),
  order([-12, 'card', 'Luis Fuentes', 'OH'], ['Diego Fuentes', 'Package C', '16 Mini'], { nextDay: 'cancelled' }),
  order([-10, 'card', 'Ruth Benson', 'OR'], ['Clara Benson', 'Single Digital'], { promoCode: 'HELPER' }),
  order([-8, 'check', 'Megan Hart', 'PA'], ['Emma Hart', 'Package C']),
  order([-6, 'card', 'Grace Cho', 'OH'], ['Henry Cho', 'Package E', 'Package F', 'Extra 5×7']),
  order([-4, 'card', 'Denise Wells', 'NY'], ['Imani Wells', 'Package A']),
  order([-2, 'cash', 'Anna Berg', 'OH'], ['Jonas Berg', 'Package B'], { promoCode: 'TAKE5' }),
  order([0, 'cash', 'Sanjay Patel', 'OH'], ['Kira Patel', 'Package F']),
]
