import { type RawBuilder, sql } from 'kysely'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import type { Arrival } from '#domain/orders/arrival.ts'

/** When an order arrives by either delivery; null if the studio does not say so. */
export type Arrivals = { readonly home: Arrival | null; readonly batch: Arrival | null }

type ArrivalInput = {
  /** The day of the order, in the time zone of studio `s`. */
  readonly orderedOn: RawBuilder<unknown>
  readonly orderMethod: RawBuilder<OrderMethod> | OrderMethod
}

/**
 * SQL: the arrival of an order of job `j`, studio `s`. The days of a prepaid order count from the picture day; without one, there are none.
 * An order that is placed after the others were handed out has no day.
 */
export const arrivalsJson = ({ orderedOn, orderMethod }: ArrivalInput): RawBuilder<Arrivals> => sql`(
  select json_build_object(
           'home', case when j.ships_home and j.delivery_days_from is not null and start.day is not null then json_build_object(
             'from', start.day + j.delivery_days_from, 'to', start.day + j.delivery_days_to, 'place', null) end,
           'batch', case when j.ships_batch and j.handed_out_on >= ${orderedOn} then json_build_object(
             'from', j.handed_out_on, 'to', j.handed_out_on, 'place', coalesce(
               (select g.name from organizations g where g.studio_id = j.studio_id and g.id = j.organization_id), s.name)) end)
    from (select case ${orderMethod}::text when 'prepay' then case when j.event_date is not null then greatest(j.event_date, ${orderedOn}) end
                                           else ${orderedOn} end as day) start)`
