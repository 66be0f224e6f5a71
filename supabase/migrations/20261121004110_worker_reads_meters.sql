-- After a run its worker keeps what the provider's meter says.
alter policy server on app.meter_readings to service_role, fairlead_worker;
grant select, insert, delete on app.meter_readings to fairlead_worker;
