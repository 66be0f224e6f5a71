-- The file of 100,000 leads is kept as well.
update storage.buckets set file_size_limit = 32000000 where id = 'exports';
