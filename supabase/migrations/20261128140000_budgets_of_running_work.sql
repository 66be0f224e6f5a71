-- A search that was not counted learns its price while it is under way. The worker then asks the budgets whether they have room for it.
grant execute on function app.money_of_month to fairlead_worker;
