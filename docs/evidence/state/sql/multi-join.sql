SET 'table.optimizer.multi-join.enabled' = 'true';
INSERT INTO two_columns SELECT o.user_id, s.shipment_id + x.shipment_id FROM orders o JOIN shipments s ON o.order_id = s.order_id JOIN shipments x ON o.order_id = x.order_id
